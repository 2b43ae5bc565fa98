import type { Contract } from "./endpoint.ts";

/** Webhooks of package registries (document 1, 4.2). */
export const registryWebhooks = {} as const satisfies Contract;
