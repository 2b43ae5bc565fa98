import { codeWebhooks } from "../../src/platform/contract/code-webhooks.ts";
import { registryWebhooks } from "../../src/platform/contract/registry-webhooks.ts";
import { codeWebhookCases } from "./code-webhooks.ts";
import { registryWebhookCases } from "./registry-webhooks.ts";
import { playOperations } from "./run.ts";

playOperations(registryWebhooks, registryWebhookCases);
playOperations(codeWebhooks, codeWebhookCases);
