import { createHmac } from "node:crypto";
import type { Clock } from "../../src/kernel/clock.ts";
import { Collection } from "./collection.ts";
import type { Random } from "./random.ts";
import type { App } from "./records.ts";
import type { Notice } from "./world.ts";

/** GitHub's time limit for an answer to a delivery. */
const TIMEOUT_MS = 10_000;

/** Selects deliveries; an absent member matches everything. */
export interface DeliveryMatch {
  readonly event?: string;
  readonly action?: string;
  readonly appId?: number;
}

/** One delivery attempt; a redelivery adds another with the same `guid`. */
export interface Delivery extends Omit<Notice, "app"> {
  readonly id: number;
  readonly guid: string;
  readonly appId: number;
  readonly redelivery: boolean;
  readonly createdAt: number;
  /** "waiting" until it is sent, "held" by `hold`, "dropped" by `drop`, "sent" after it was answered or failed. */
  readonly state: "waiting" | "held" | "dropped" | "sent";
  /** HTTP status of the answer; null when nothing answered (refused, timed out after 10 s). */
  readonly statusCode: number | null;
  readonly durationMs: number | null;
}

export type SendDelivery = (
  url: string,
  request: {
    headers: Record<string, string>;
    body: string;
    method: "POST";
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<Pick<Response, "status" | "arrayBuffer">>;

export interface OutboxOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the current App: its URL and secret may have changed since the notice. */
  readonly findApp: (appId: number) => App;
  readonly nextId: () => number;
  /** Sends the request of a delivery; default: over the network. */
  readonly send?: SendDelivery;
  /** True: each delivery is sent at once, as GitHub does; default: after the App's earlier ones were answered. */
  readonly isUnordered?: boolean;
}

const UNSENT = { state: "waiting", statusCode: null, durationMs: null } as const;

interface DeliveryRule {
  readonly match: DeliveryMatch;
  left: number;
}

/** The signed deliveries and their faults. By default they are sent one after another, in order. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #rows = new Collection<Delivery>("delivery");
  readonly #holds: DeliveryMatch[] = [];
  readonly #drops: DeliveryRule[] = [];
  readonly #duplicates: DeliveryRule[] = [];
  /** Per App, a promise that resolves when all deliveries so far are answered. */
  readonly #lastSends = new Map<number, Promise<unknown>>();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  notify({ app, ...notice }: Notice): void {
    if (app.webhookUrl === null) return;
    const { clock, random, nextId } = this.#options;
    const row = this.#rows.insert({
      ...notice,
      ...UNSENT,
      ...{ id: nextId(), guid: random.uuid(), appId: app.id, redelivery: false, createdAt: clock.now() },
    });
    if (consumeRule(this.#drops, row)) this.#rows.update(row.id, { state: "dropped" });
    else if (this.#holds.some((match) => isDeliveryMatch(row, match)))
      this.#rows.update(row.id, { state: "held" });
    else this.#enqueue(row);
  }

  /** Holds matching deliveries until `release`. */
  hold(match: DeliveryMatch = {}): void {
    this.#holds.push(match);
  }

  /** Ends every `hold` and sends the held deliveries. Resolves when all are answered. */
  async release(): Promise<void> {
    this.#holds.length = 0;
    for (const row of this.#rows.filter(({ state }) => state === "held"))
      this.#enqueue(this.#rows.update(row.id, { state: "waiting" }));
    await this.settled();
  }

  /** Drops the next `times` matching deliveries (default: all): records them without sending. */
  drop(match: DeliveryMatch = {}, times = Number.POSITIVE_INFINITY): void {
    this.#drops.push({ match, left: times });
  }

  /** Sends the next `times` matching deliveries (default: all) twice at once with one guid. */
  duplicate(match: DeliveryMatch = {}, times = Number.POSITIVE_INFINITY): void {
    this.#duplicates.push({ match, left: times });
  }

  /** Ends every drop and duplicate. */
  clearFaults(): void {
    this.#drops.length = 0;
    this.#duplicates.length = 0;
  }

  /** All deliveries in order of creation. */
  list(match: DeliveryMatch = {}): readonly Delivery[] {
    return this.#rows.filter((row) => isDeliveryMatch(row, match));
  }

  /** Sends a delivery again now, with the same guid, signature key and body. */
  async redeliver(id: number): Promise<Delivery> {
    const again = this.#copy(this.#rows.require(id), true);
    await this.#track(this.#send(again));
    return this.#rows.require(again.id);
  }

  /** Resolves when no delivery is pending; held deliveries do not count. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Aborts pending deliveries. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  /** Sends the delivery after all waiting deliveries of the same App, or at once. */
  #enqueue(row: Delivery): void {
    const copies = consumeRule(this.#duplicates, row) ? [row, this.#copy(row, false)] : [row];
    const sendAll = () => Promise.all(copies.map((copy) => this.#send(copy)));
    const before = this.#lastSends.get(row.appId) ?? Promise.resolve();
    const sent = this.#options.isUnordered === true ? sendAll() : before.then(sendAll);
    this.#lastSends.set(row.appId, sent);
    void this.#track(sent);
  }

  async #track(sending: Promise<unknown>): Promise<void> {
    this.#pending.add(sending);
    await sending;
    this.#pending.delete(sending);
  }

  #copy(row: Delivery, redelivery: boolean): Delivery {
    const { nextId, clock } = this.#options;
    return this.#rows.insert({ ...row, ...UNSENT, redelivery, id: nextId(), createdAt: clock.now() });
  }

  async #send(row: Delivery): Promise<void> {
    const started = performance.now();
    const statusCode = await this.#post(this.#options.findApp(row.appId), row);
    const durationMs = Math.round(performance.now() - started);
    this.#rows.update(row.id, { state: "sent", statusCode, durationMs });
  }

  /** Returns the answer's status; null without an answer: nothing listens, the time limit passed, or the sandbox closes. */
  async #post(app: App, row: Delivery): Promise<number | null> {
    if (app.webhookUrl === null) return null;
    const { body } = row;
    const headers = { ...buildHeaders(row), ...computeSignatures(app.webhookSecret, body) };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing.signal]);
    try {
      const { send = fetch } = this.#options;
      const answer = await send(app.webhookUrl, {
        method: "POST",
        headers,
        body,
        signal,
        redirect: "manual",
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      // GitHub, too, reports every transport failure as "no answer".
      return null;
    }
  }
}

const isDeliveryMatch = (row: Delivery, match: DeliveryMatch): boolean =>
  (match.event === undefined || match.event === row.event) &&
  (match.action === undefined || match.action === row.action) &&
  (match.appId === undefined || match.appId === row.appId);

/** Consumes one use of the first rule that matches. */
function consumeRule(rules: readonly DeliveryRule[], row: Delivery): boolean {
  const rule = rules.find((candidate) => candidate.left > 0 && isDeliveryMatch(row, candidate.match));
  if (rule !== undefined) rule.left -= 1;
  return rule !== undefined;
}

const buildHeaders = ({ guid, event, appId }: Delivery): Record<string, string> => ({
  accept: "*/*",
  "content-type": "application/json",
  "user-agent": "GitHub-Hookshot/sandbox",
  "x-github-delivery": guid,
  "x-github-event": event,
  "x-github-hook-id": String(appId),
  "x-github-hook-installation-target-id": String(appId),
  "x-github-hook-installation-target-type": "integration",
});

const computeSignatures = (secret: string, body: string): Record<string, string> => ({
  "x-hub-signature": `sha1=${createHmac("sha1", secret).update(body).digest("hex")}`,
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
});
