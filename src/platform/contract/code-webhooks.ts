import { repoWebhooks } from "./code-repo-webhooks.ts";
import { spaceWebhooks } from "./code-space-webhooks.ts";
import type { Contract } from "./endpoint.ts";

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooks = { ...repoWebhooks, ...spaceWebhooks } as const satisfies Contract;
