import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { expect } from "vitest";
import { createPlatformClient, type PlatformClient } from "../../src/platform/client.ts";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { encodeRequest } from "../../src/platform/contract/wire/codec.ts";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import type { PlatformResult } from "../../src/platform/errors.ts";
import { readAnswer } from "../../src/platform/read-answer.ts";
import { answerValidator, publishedHeaders } from "../platform/openapi-validator.ts";
import { type PlatformWorld, servePlatform } from "../platform-server/platform-world.ts";
import type { TestEngine } from "../world/engines.ts";
import { importRows } from "../world/import-rows.ts";
import type { Stage } from "./case.ts";
import { type BodyType, type LooseRequest, looseRequest } from "./harness-loose.ts";

/** An answer as it went over the socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface LiveStage extends Stage {
  readonly key: string;
  /** By our client where it would send this; as a stranger would where it refuses to. */
  attempt(endpoint: Endpoint, input: LooseInput): Promise<ObservedCall>;
  /** As a stranger sends it: nothing is checked on the way. `headers` are sent instead of those of their names; "" leaves one out. */
  strange(
    endpoint: Endpoint,
    input: LooseInput,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ObservedCall>;
  /** As a stranger sends it, its body written in another format, or asking for it where there is none. */
  written(endpoint: Endpoint, input: LooseInput, type: BodyType): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** What came of a call, as the client reads it and as it was sent. */
export interface ObservedCall {
  readonly outcome: PlatformResult<unknown>;
  readonly raw: RawAnswer;
}

export interface Harness {
  readonly world: PlatformWorld;
  readonly dialect: DialectName;
  stage(): Promise<LiveStage>;
  /** Fails the test unless the answer is one that the published document allows. */
  judge(endpoint: Endpoint, raw: RawAnswer): void;
  close(): Promise<void>;
}

/** So long may one request take, in ms: far more than it needs. */
const DEADLINE_MS = 20_000;

/** An embedded platform that speaks `dialect` with us; every stage on it is an account of its own. */
export async function openHarness(engine: TestEngine, dialect: DialectName): Promise<Harness> {
  const store = await engine.open();
  const answers: RawAnswer[] = [];
  const world = await servePlatform(store, "harness", {
    dialect,
    watch: async (answer) => {
      const text = await answer.clone().text();
      answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers), text });
    },
  });
  const judge = createCaseChecker(dialect);
  let accounts = 0;
  return {
    world,
    dialect,
    stage: async () => {
      accounts += 1;
      return openStage(world, { dialect, account: `acc-${accounts}`, last: () => answers.at(-1) });
    },
    judge,
    close: async () => {
      await world.close();
      await store.close();
    },
  };
}

/** Headers of HTTP itself and of the connection, which no document of an API lists. */
const TRANSPORT = ["content-type", "content-length", "date", "connection", "keep-alive", "transfer-encoding"];

function createCaseChecker(dialect: DialectName): Harness["judge"] {
  const validate = answerValidator(dialect);
  const headersOf = publishedHeaders(dialect);
  return (endpoint, { status, headers, text }) => {
    const answered = `${endpoint.area} ${endpoint.operation} answered ${status}: ${text.slice(0, 500)}`;
    expect(validate(endpoint, status, text === "" ? null : JSON.parse(text)), answered).toEqual([]);
    const { always, sometimes } = headersOf(endpoint, status);
    const sent = Object.keys(headers).filter(
      (name) => !TRANSPORT.includes(name) && !sometimes.includes(name),
    );
    expect(sent.sort(), answered).toEqual([...always].sort());
    const isPaged = endpoint.pagination !== undefined && status === endpoint.status;
    for (const name of isPaged ? ["x-total-elements", "x-page-number", "x-page-size"] : [])
      expect(headers[name], `${name}, where ${answered}`).toMatch(/^\d+$/);
  };
}

interface Surface {
  readonly dialect: DialectName;
  readonly account: string;
  readonly last: () => RawAnswer | undefined;
}

async function openStage(world: PlatformWorld, place: Surface): Promise<LiveStage> {
  const { account, dialect, last } = place;
  const key = await world.token({ purpose: "api", account });
  const client = clientFor(world, { token: key, account, dialect });
  const strange: LiveStage["strange"] = async (endpoint, input, headers = {}) => {
    const made = looseRequest(endpoint, input, { dialect, account, key });
    const sent = Object.entries({ ...made.headers, ...headers }).filter(([, value]) => value !== "");
    const request = { ...made, headers: Object.fromEntries(sent) };
    const raw = await exchange(world.url, request);
    const answer = { ...raw, body: Buffer.from(raw.text) };
    return { raw, outcome: readAnswer(endpoint, answer, world.clock.ms) };
  };
  return {
    account,
    key,
    clock: world.clock,
    jobs: world.jobs,
    db: world.store.db,
    call: async (endpoint, input) => {
      const outcome = await client.call(endpoint, input);
      if (!outcome.ok) throw new Error(`arranging failed: ${outcome.failure.message}`);
      return outcome.value;
    },
    import: (kind, rows) => importRows(world.store, kind, account, rows),
    strange,
    written: (endpoint, input, type) => {
      const made = looseRequest(endpoint, input, { dialect, account, key, type });
      return exchange(world.url, { ...made, headers: { ...made.headers, accept: type } });
    },
    attempt: async (endpoint, input) => {
      if (!encodeRequest(endpoint, input, { dialect, account }).ok) return strange(endpoint, input);
      const outcome = await client.call(endpoint, input);
      const raw = last();
      if (raw === undefined) throw new Error(`no answer was seen: ${JSON.stringify(outcome)}`);
      return { outcome, raw };
    },
    close: () => client.close(),
  };
}

const clientFor = (
  world: Pick<PlatformWorld, "url" | "clock">,
  who: { readonly token: string; readonly account: string; readonly dialect: DialectName },
): PlatformClient =>
  createPlatformClient({
    ...who,
    url: world.url,
    clock: world.clock,
    random: () => 0,
    sleep: async () => {},
  });

/** One request over a socket. A body may be shorter than `content-length` says: the answer may come before its end. */
export async function exchange(base: string, request: LooseRequest): Promise<RawAnswer> {
  const { method, target, headers, body } = request;
  const size = body?.byteLength ?? 0;
  const isWhole = Number(headers["content-length"] ?? size) <= size;
  const sent = httpRequest(base + target, { method, headers, ...(isWhole ? {} : { agent: false }) });
  sent.on("error", () => {}); // `once` below tells of it
  if (body !== null) sent.write(body);
  if (isWhole) sent.end();
  const [answer] = await once(sent, "response", { signal: AbortSignal.timeout(DEADLINE_MS) });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  if (!isWhole) sent.destroy();
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
}
