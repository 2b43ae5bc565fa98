import { createHmac } from "node:crypto";
import type { Clock } from "../../src/kernel/clock.ts";
import type { App } from "../state/apps.ts";
import { type Collection, createCollection } from "../state/collection.ts";
import type { Random } from "../state/random.ts";
import type { Notice } from "../state/world.ts";
import type { Deliveries, Delivery, DeliveryMatch } from "./deliveries.ts";

/** GitHub's time limit for an answer to a delivery. */
const TIMEOUT_MS = 10_000;

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

export interface Outbox extends Deliveries {
  notify(notice: Notice): void;
  /** Aborts pending deliveries. */
  close(): Promise<void>;
}

interface DeliveryRule {
  readonly match: DeliveryMatch;
  left: number;
}

interface OutboxState extends OutboxOptions {
  readonly rows: Collection<Delivery>;
  readonly holds: DeliveryMatch[];
  readonly drops: DeliveryRule[];
  readonly duplicates: DeliveryRule[];
  /** Per App, a promise that resolves when all deliveries so far are answered. */
  readonly lastSends: Map<number, Promise<void>>;
  /** Attempts outside the order. */
  readonly unordered: Set<Promise<unknown>>;
  readonly closing: AbortController;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const state: OutboxState = {
    ...options,
    rows: createCollection<Delivery>("delivery"),
    holds: [],
    drops: [],
    duplicates: [],
    lastSends: new Map(),
    unordered: new Set(),
    closing: new AbortController(),
  };
  return {
    notify: (notice) => notifyApp(state, notice),
    hold: (match = {}) => void state.holds.push(match),
    release: (order = "in order") => releaseHeld(state, order),
    drop: (match = {}, times = Number.POSITIVE_INFINITY) => void state.drops.push({ match, left: times }),
    duplicate: (match = {}, times = Number.POSITIVE_INFINITY) =>
      void state.duplicates.push({ match, left: times }),
    clearFaults: () => {
      state.drops.length = 0;
      state.duplicates.length = 0;
    },
    list: (match = {}) => state.rows.filter((row) => isDeliveryMatch(row, match)),
    redeliver: (id) => redeliver(state, id),
    settled: () => waitUntilSettled(state),
    close: async () => {
      state.closing.abort();
      await waitUntilSettled(state);
    },
  };
}

function notifyApp(state: OutboxState, notice: Notice): void {
  if (notice.app.webhookUrl === null) return;
  const row = recordDelivery(state, notice);
  if (consumeRule(state.drops, row)) state.rows.update(row.id, { state: "dropped" });
  else if (state.holds.some((match) => isDeliveryMatch(row, match)))
    state.rows.update(row.id, { state: "held" });
  else enqueueDelivery(state, row);
}

function recordDelivery(state: OutboxState, notice: Notice): Delivery {
  const guid = state.random.uuid();
  return state.rows.insert({
    id: state.nextId(),
    guid,
    appId: notice.app.id,
    installationId: notice.installationId,
    repositoryId: notice.repositoryId,
    event: notice.event,
    action: notice.action,
    headers: {
      accept: "*/*",
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/sandbox",
      "x-github-delivery": guid,
      "x-github-event": notice.event,
      "x-github-hook-id": String(notice.app.id),
      "x-github-hook-installation-target-id": String(notice.app.id),
      "x-github-hook-installation-target-type": "integration",
    },
    body: notice.body,
    redelivery: false,
    createdAt: state.clock.now(),
    state: "waiting",
    statusCode: null,
    durationMs: null,
  });
}

/** Sends the delivery after all waiting deliveries of the same App, or at once. */
function enqueueDelivery(state: OutboxState, row: Delivery): void {
  const copies = consumeRule(state.duplicates, row) ? [row, copyDelivery(state, row)] : [row];
  if (state.isUnordered === true) {
    for (const copy of copies) void sendUnordered(state, copy);
    return;
  }
  const before = state.lastSends.get(row.appId) ?? Promise.resolve();
  const next = before.then(async () => {
    await Promise.all(copies.map((copy) => sendDelivery(state, copy)));
  });
  state.lastSends.set(row.appId, next);
}

async function releaseHeld(state: OutboxState, order: "in order" | "backwards"): Promise<void> {
  state.holds.length = 0;
  const held = state.rows.filter((row) => row.state === "held");
  for (const row of order === "backwards" ? held.toReversed() : held) {
    enqueueDelivery(state, state.rows.update(row.id, { state: "waiting" }));
  }
  await waitUntilSettled(state);
}

async function redeliver(state: OutboxState, id: number): Promise<Delivery> {
  const again = state.rows.update(copyDelivery(state, state.rows.require(id)).id, { redelivery: true });
  await sendUnordered(state, again);
  return state.rows.require(again.id);
}

async function sendUnordered(state: OutboxState, row: Delivery): Promise<void> {
  const sent = sendDelivery(state, row);
  state.unordered.add(sent);
  await sent;
  state.unordered.delete(sent);
}

const copyDelivery = (state: OutboxState, row: Delivery): Delivery =>
  state.rows.insert({
    ...row,
    id: state.nextId(),
    createdAt: state.clock.now(),
    state: "waiting",
    statusCode: null,
    durationMs: null,
  });

async function sendDelivery(state: OutboxState, row: Delivery): Promise<void> {
  const app = state.findApp(row.appId);
  const started = performance.now();
  const statusCode = app.webhookUrl === null ? null : await postDelivery(state, app.webhookUrl, { app, row });
  const durationMs = Math.round(performance.now() - started);
  state.rows.update(row.id, { state: "sent", statusCode, durationMs });
}

/** Returns the answer's status; null without an answer: nothing listens, the time limit passed, or the sandbox closes. */
async function postDelivery(
  state: OutboxState,
  url: string,
  what: { app: App; row: Delivery },
): Promise<number | null> {
  const { app, row } = what;
  const headers = { ...row.headers, ...computeSignatures(app.webhookSecret, row.body) };
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), state.closing.signal]);
  try {
    const { send = fetch } = state;
    const answer = await send(url, { method: "POST", headers, body: row.body, signal, redirect: "manual" });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // GitHub, too, reports every transport failure as "no answer".
    return null;
  }
}

async function waitUntilSettled(state: OutboxState): Promise<void> {
  let previous: readonly unknown[] = [];
  for (;;) {
    const now = [...state.lastSends.values(), ...state.unordered];
    if (now.length === previous.length && now.every((promise, index) => promise === previous[index])) return;
    previous = now;
    await Promise.all(now);
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

/** Returns GitHub's two signature headers of a delivery with this body. */
const computeSignatures = (secret: string, body: string): Record<string, string> => ({
  "x-hub-signature": `sha1=${createHmac("sha1", secret).update(body).digest("hex")}`,
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
});
