import type { registryWebhooks } from "../../platform/contract/registry-webhooks.ts";
import type { Area } from "../area.ts";

/** Webhooks of package registries (document 1, 4.2). */
export const registryWebhooksHandlers: Area<typeof registryWebhooks> = {};
