import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../kernel/clock.ts";
import {
  createPlatformClient,
  type PlatformClient,
  type PlatformClientOptions,
} from "../../platform/client.ts";
import type { Endpoint, EndpointOutput, LooseInput } from "../../platform/contract/endpoint.ts";
import { type EmitBody, emitEvent } from "../../platform/contract/own-operations.ts";
import type { DialectName } from "../../platform/contract/wire/translate.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import { type ItemOutcome, type PagedEndpoint, readItems } from "../../platform/list-pages.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { createRetryingCall } from "../import/run.ts";

export type ApiOutcome = PlatformResult<unknown>;
export type ApiFailure = Extract<ApiOutcome, { ok: false }>["failure"];

/** The platform that a command calls. Null: from the settings. */
export interface ApiAddress {
  readonly url: string | null;
  readonly token: string | null;
  readonly account: string | null;
  readonly dialect: DialectName | null;
}

export interface ApiPlatform {
  call(endpoint: Endpoint, input: LooseInput): Promise<ApiOutcome>;
  /** Returns every item of a list, from the requested page on; a failure is the last item. */
  items(endpoint: PagedEndpoint, input: LooseInput): AsyncIterable<ItemOutcome<unknown>>;
  /** Ends all calls, and everything that was started to reach the platform. */
  close(): Promise<void>;
}

export type OpenApiPlatform = (address: ApiAddress) => Promise<ApiPlatform>;

/** Limits in ms. Uploads and long lists take longer than the bot's own reads. */
const LIMITS = { headersMs: 60_000, bodyMs: 30_000, totalMs: 120_000, connections: 2 } as const;

/**
 * Opens the platform at the address; without one, the platform in the settings; otherwise the embedded one of
 * this machine, running or not.
 */
export const openApiPlatform: OpenApiPlatform = async (address) => {
  const { options, close } = await reachPlatform(address);
  const tools = { clock: systemClock, random: Math.random, sleep: (ms: number) => sleep(ms) };
  const client = createPlatformClient({ ...options, ...tools, limits: LIMITS });
  return {
    call: (endpoint, input) => client.call(endpoint, input),
    items: (endpoint, input) => readItems(client, endpoint, input),
    close: async () => {
      await client.close();
      await close();
    },
  };
};

type ClientAddress = Omit<PlatformClientOptions, "clock" | "random" | "sleep" | "limits">;

const doNothing = async (): Promise<void> => {};

async function reachPlatform({
  url,
  token,
  account,
  dialect,
}: ApiAddress): Promise<{ options: ClientAddress; close(): Promise<void> }> {
  const own = { ...(account === null ? {} : { account }), ...(dialect === null ? {} : { dialect }) };
  if (url !== null && token !== null)
    return { options: { url, token, account: "tollgate", dialect: "neutral", ...own }, close: doNothing };
  const { platform } = readSettings(readEnvironment());
  if (platform.kind === "remote") return { options: { ...platform, ...own }, close: doNothing };
  // Loaded here because it loads the whole server, which a call of another platform does not need.
  const { resolveLocalPlatform } = await import("./local.ts");
  const local = await resolveLocalPlatform();
  return { options: { ...local, dialect: "neutral", ...own }, close: local.close };
}

export type EmittedDeliveries = EndpointOutput<typeof emitEvent>;

const HINTS = {
  unauthorised:
    "Check the token (TOLLGATE_TOKEN, --token): it may be mistyped, revoked, expired or for another account.",
  forbidden: "Webhooks need a token of the whole account: make one with `tollgate token create --for api`.",
  not_found: "Check --url. Events can be emitted on the embedded platform only.",
  unavailable: "Check that the platform runs and --url is its address.",
  timed_out: "The event may or may not have been taken: check the webhook's executions before you repeat it.",
} as const;

/**
 * Sends an event to a platform, without retries: a repeated call would be a second event. Throws
 * `platform_failed`.
 */
export function sendEvent(platform: PlatformClient, body: EmitBody): Promise<EmittedDeliveries> {
  const once = { tries: 1, pauseMs: 0, sleep: async () => {}, hints: HINTS };
  return createRetryingCall(platform, once)(emitEvent, { body });
}
