import { codeWebhooks } from "../../src/platform/contract/code-webhooks.ts";
import { emitEvent } from "../../src/platform/contract/own-operations.ts";
import { registryWebhooks } from "../../src/platform/contract/registry-webhooks.ts";
import { codeWebhookCases } from "./code-webhooks.ts";
import { registryWebhookCases } from "./registry-webhooks.ts";
import { playOperations } from "./run.ts";
import { emitCases } from "./webhooks-emit.ts";

playOperations(registryWebhooks, registryWebhookCases);
playOperations(codeWebhooks, codeWebhookCases);
playOperations({ emitEvent }, emitCases);
