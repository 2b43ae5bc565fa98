import { createNodeMiddleware } from "@octokit/webhooks";
import type { Logger } from "pino";
import { type ApplicationFunction, type ApplicationFunctionOptions, Probot } from "probot";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { type GuardOptions, guardWebhooks } from "./guard.ts";

/** Handles a request and returns true, or returns false and leaves it untouched. */
export type NodeHandler = Parameters<ApplicationFunctionOptions["addHandler"]>[0];

export interface ReceiverOptions extends GuardOptions {
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly apiUrl?: string;
  readonly log: Logger;
}

/** Octokit's default of 9 s would answer 202 before a delivery is stored; the handlers reject long before this. In ms. */
const ANSWER_MS = MINUTE_MS;

/**
 * Runs an application function in Probot. Returns the handlers of a server, in Probot's order: its `webhooks` behind a guard, then those
 * that the function added.
 */
export async function createReceiver(
  application: ApplicationFunction,
  { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl, log, ...guard }: ReceiverOptions,
): Promise<readonly NodeHandler[]> {
  // Probot logs each forged delivery as an error; who sends many of them would fill the log. The outcomes are counted instead, and what
  // could not be stored is logged where it is known why.
  const quiet = log.child({}, { level: "fatal" });
  const probot = new Probot({ appId, privateKey, secret, baseUrl, log: quiet });
  const added: NodeHandler[] = [];
  await probot.load(application, { cwd: process.cwd(), addHandler: (handler) => void added.push(handler) });
  const webhooks = createNodeMiddleware(probot.webhooks, { timeout: ANSWER_MS, log: quiet });
  return [guardWebhooks(webhooks, guard), ...added];
}
