import type { codeWebhooks } from "../../platform/contract/code-webhooks.ts";
import type { Area } from "../area.ts";

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooksHandlers: Area<typeof codeWebhooks> = {};
