import { once } from "node:events";
import type { Server } from "node:http";
import { type ServerType, serve } from "@hono/node-server";
import type { Clock } from "../../src/kernel/clock.ts";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import type { IngestedCommit, PlatformJob } from "../../src/platform-server/area/area.ts";
import type { ImportKind } from "../../src/platform-server/area/import-kind.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "../../src/platform-server/area/webhook-settings.ts";
import type { LargeIngestReader } from "../../src/platform-server/executions/ingest.ts";
import { createPlatformServer } from "../../src/platform-server/server.ts";
import { createToken, type TokenGrant } from "../../src/store/tokens.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import type { TestEngine } from "../world/engines.ts";
import { importRows } from "../world/import-rows.ts";

export const ACCOUNT = "acc-1";
export const START_MS = Date.UTC(2026, 0, 1);
export const DAY_MS = 24 * 60 * 60 * 1000;

export interface PlatformAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly body: any;
}

export interface Call {
  readonly key?: string | null;
  readonly account?: string | null;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as octets. */
  readonly bytes?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PlatformWorld {
  readonly url: string;
  readonly store: Database;
  readonly clock: Clock & { ms: number };
  /** A token of the whole account. */
  readonly key: string;
  readonly ingested: IngestedCommit[];
  readonly errors: unknown[];
  /** What operations put on the queue; nothing runs it here. */
  readonly jobs: PlatformJob[];
  token(grant: TokenGrant): Promise<string>;
  /** One HTTP request over a real socket; with the account's token and header unless said otherwise. */
  call(method: string, path: string, call?: Call): Promise<PlatformAnswer>;
  close(): Promise<void>;
}

/** A platform on loopback over a fresh store. */
export async function openPlatform(engine: TestEngine, account = ACCOUNT): Promise<PlatformWorld> {
  const store = await engine.open();
  const world = await servePlatform(store, account);
  const close = async () => {
    await world.close();
    await store.close();
  };
  return { ...world, close };
}

export interface PlatformExtras {
  /** Shown each answer before it is sent. */
  watch?(answer: Response): Promise<void>;
  /** In whose names it answers; `neutral` when absent. */
  readonly dialect?: DialectName;
  readonly webhooks?: WebhookSettings;
  readonly bodyMemory?: number;
  readonly readLargeIngest?: LargeIngestReader;
}

/** As `openPlatform`, over a store that is there and stays open. */
export async function servePlatform(
  store: Database,
  account = ACCOUNT,
  {
    watch,
    dialect = "neutral",
    webhooks = STRICT_WEBHOOKS,
    bodyMemory,
    readLargeIngest,
  }: PlatformExtras = {},
): Promise<PlatformWorld> {
  const clock = { ms: START_MS, now: () => clock.ms, monotonicMs: () => clock.ms };
  const ingested: IngestedCommit[] = [];
  const errors: unknown[] = [];
  const jobs: PlatformJob[] = [];
  const app = createPlatformServer({
    store,
    clock,
    dialect,
    onIngest: async (commit) => void ingested.push(commit),
    onUnbind: async (_trx, { isRecorded }) => (isRecorded ? async () => {} : null),
    enqueue: async (job) => void jobs.push(job),
    webhooks,
    onError: (error) => errors.push(error),
    ...(bodyMemory === undefined ? {} : { bodyMemory }),
    ...(readLargeIngest === undefined ? {} : { readLargeIngest }),
  });
  const { server, url } = await listen(async (request) => {
    const answer = await app.fetch(request);
    await watch?.(answer);
    return answer;
  });
  const token = async (grant: TokenGrant) => (await createToken(store.db, grant, clock)).secret;
  const key = await token({ purpose: "api", account });
  return {
    url,
    store,
    clock,
    key,
    ingested,
    errors,
    jobs,
    token,
    call: (method, path, call = {}) => send(url, { method, path, call: { key, account, ...call } }),
    close: async () => closeServer(server),
  };
}

/** Longer than any test takes. */
const IDLE_MS = 600_000;

export function closeServer(server: ServerType): void {
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
}

/** Listens on loopback. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<{ server: ServerType; url: string }> {
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
  // A client that a busy machine pauses would send on a connection that is being closed as idle.
  (server as Server).keepAliveTimeout = IDLE_MS;
  if (!(server as Server).listening) await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return { server, url: `http://127.0.0.1:${address.port}` };
}

async function send(
  base: string,
  { method, path, call }: { method: string; path: string; call: Call },
): Promise<PlatformAnswer> {
  const { key, account, json, bytes } = call;
  const headers = {
    ...(key ? { "x-api-key": key } : {}),
    ...(account ? { "Platform-Account": account } : {}),
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...(bytes === undefined ? {} : { "content-type": "application/octet-stream" }),
    ...call.headers,
  };
  const body = json === undefined ? bytes : JSON.stringify(json);
  // Octets are as good a body as text; only the type of fetch's argument is narrower.
  const init = { method, headers, ...(body === undefined ? {} : { body: body as string }) };
  const response = await fetch(base + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

/** What is said of a refusal: status, code, fields. */
export const refusal = ({ status, body }: PlatformAnswer) => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ fieldId }: { fieldId: string }) => fieldId),
];

/** Rows as an import of a file brings them: checked, then written at once. */
export const bring = <Row>(
  world: PlatformWorld,
  kind: ImportKind<Row>,
  { lines, account = ACCOUNT }: { readonly lines: readonly object[]; readonly account?: string },
): Promise<void> => {
  const rows = lines.map((line) => kind.line.parse(JSON.parse(JSON.stringify(line))));
  return importRows(world.store, kind, account, rows);
};
