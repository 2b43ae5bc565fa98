import type { Contract } from "./endpoint.ts";

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooks = {} as const satisfies Contract;
