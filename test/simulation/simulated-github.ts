import { createHash } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Faults } from "../../sandbox/http/faults.ts";
import { RequestLog } from "../../sandbox/http/request-log.ts";
import { createApi } from "../../sandbox/http/server.ts";
import { createVerbs } from "../../sandbox/sandbox.ts";
import { Outbox } from "../../sandbox/state/outbox.ts";
import { type KeyPair, systemRandom } from "../../sandbox/state/random.ts";
import { createWorld, type Notice } from "../../sandbox/state/world.ts";
import type { FetchedResponse, FetchInit } from "../../src/github/client/guarded-fetch.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";
import type { Life } from "./life.ts";
import type { Fault, Scheduler } from "./scheduler.ts";

export const GITHUB_URL = "http://127.0.0.1:4001";
/** The longest time for which a replica of GitHub shows what was, in ms. */
export const LAG_MS = 3_000;

export interface SentDelivery {
  readonly guid: string;
  readonly event: string;
  readonly body: string;
}

/** For all stories of this process, because each takes a tenth of a second to make. */
const shared: { keyPair: Promise<KeyPair> | null } = { keyPair: null };
const keyPair = (): Promise<KeyPair> => {
  shared.keyPair ??= systemRandom.keyPair();
  return shared.keyPair;
};

/** The sandbox GitHub without a server: its requests go through the scheduler, its deliveries into a list. */
export class SimulatedGitHub {
  readonly #scheduler: Scheduler;
  readonly #api: ReturnType<typeof createApi>;
  readonly #world: ReturnType<typeof createWorld>;
  readonly verbs;
  /** On their way to the bot, in the order in which they were sent. */
  readonly deliveries: SentDelivery[] = [];
  /** Called when the bot sends a request that changes something. */
  onSend: (url: string) => void = () => {};
  /** Called after each request that changed something. */
  onWrite: () => void = () => {};
  /** Called in its place where the answer was given up before. */
  onLateWrite: () => void = () => {};
  readonly #seen = new Map<string, { readonly atMs: number; readonly answer: WireAnswer }>();
  #random = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    const { time: clock } = scheduler;
    const hash = (): string => {
      this.#random += 1;
      return createHash("sha256").update(String(this.#random)).digest("hex");
    };
    const random = {
      uuid: () => hash().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
      text: (length: number) => hash().slice(0, length),
      keyPair,
    };
    const notify = ({ event, body }: Notice) =>
      void this.deliveries.push({ guid: random.uuid(), event, body });
    const world = createWorld({ clock, random, longTokens: false, origin: () => GITHUB_URL, notify });
    this.#world = world;
    const findApp = (id: number) => world.apps.require(id);
    this.#api = createApi({
      world,
      deliveries: new Outbox({ clock, random, findApp, nextId: () => 0 }),
      faults: new Faults(),
      log: new RequestLog(),
      hourlyLimit: 1_000_000,
      documents: DOCUMENTS,
    });
    this.verbs = createVerbs(world);
  }

  get world() {
    return this.#world;
  }

  /** How a life of the bot reaches GitHub. */
  senderFor(life: Life): SendRequest {
    return (url, init) => {
      if (!isReading(url, init)) this.onSend(url);
      const path = url.slice(GITHUB_URL.length);
      const label = path.endsWith("/graphql") ? labelGraphql(init.body ?? "") : `${init.method} ${path}`;
      return this.#scheduler.call(life, label, (fault) => {
        if (fault === "late") this.#scheduler.happensLate(label, () => this.#writeLate(url, init));
        return this.#answer(url, init, fault);
      });
    };
  }

  async #answer(url: string, init: FetchInit, fault: Fault | null): Promise<WireAnswer> {
    if (fault === "before" || fault === "late") throw new Error("the connection was reset");
    if (fault === "limit") return LIMITED;
    const answer = isReading(url, init) ? await this.#read(url, init, fault) : await this.#write(url, init);
    if (fault === "after") throw new Error("the connection was reset");
    return answer;
  }

  /** A stale read is answered as the same read was before, if that is not too long ago. */
  async #read(url: string, init: FetchInit, fault: Fault | null): Promise<WireAnswer> {
    const key = `${init.method} ${url} ${init.body ?? ""}`;
    const atMs = this.#scheduler.time.now();
    const before = this.#seen.get(key);
    if (fault === "stale" && before !== undefined && before.atMs + LAG_MS > atMs) return before.answer;
    const answer = await this.#ask(url, init);
    this.#seen.set(key, { atMs, answer });
    return answer;
  }

  async #write(url: string, init: FetchInit): Promise<WireAnswer> {
    const answer = await this.#ask(url, init);
    this.onWrite();
    return answer;
  }

  async #writeLate(url: string, init: FetchInit): Promise<void> {
    await this.#ask(url, init);
    this.onLateWrite();
  }

  async #ask(url: string, { method, headers, body }: FetchInit): Promise<WireAnswer> {
    const request = new Request(url, { method, headers, ...(body !== undefined && { body }) });
    const response = await this.#api.fetch(request, {} as HttpBindings); // only answers that break off use the socket
    return {
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  }
}

/** Sends a request to GitHub; rejects when no answer comes. */
export type SendRequest = (url: string, init: FetchInit) => Promise<WireAnswer>;

/** What the bot's client of GitHub calls in place of `fetch`. */
export const createFetch =
  (send: SendRequest) =>
  async (url: string, init: FetchInit): Promise<FetchedResponse> =>
    toResponse(await send(url, init));

export interface WireAnswer {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: Uint8Array;
}

const LIMITED: WireAnswer = {
  status: 403,
  headers: [
    ["content-type", "application/json"],
    ["retry-after", "30"],
  ],
  body: new TextEncoder().encode(JSON.stringify({ message: "You have exceeded a secondary rate limit." })),
};

const isReading = (url: string, { method, body = "" }: FetchInit): boolean =>
  method === "GET" || (url.endsWith("/graphql") && labelGraphql(body).startsWith("query"));

function labelGraphql(body: string): string {
  const query = /"query":"\s*(?:\\n\s*)*(query|mutation)?\s*(\w*)/.exec(body);
  return `${query?.[1] ?? "query"} ${query?.[2] ?? ""}`.trim();
}

function toResponse({ status, headers, body }: WireAnswer): FetchedResponse {
  const all = new Headers(headers as [string, string][]); // the constructor changes nothing
  return {
    status,
    headers: Object.assign([...all], { get: (name: string) => all.get(name) }),
    body: (async function* () {
      yield body;
    })(),
  };
}
