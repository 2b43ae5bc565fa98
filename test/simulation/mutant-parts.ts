import { queuedDelivery } from "../../src/deliveries/queued-delivery.ts";
import type { Mutant } from "./bot.ts";
import type { WireAnswer } from "./simulated-github.ts";

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (body: Uint8Array): string => new TextDecoder().decode(body);

/** A statement that this text is part of does not happen. */
export const without =
  (part: string): NonNullable<Mutant["statement"]> =>
  (sql) =>
    sql.includes(part) ? null : sql;

export const replacing =
  (from: string | RegExp, to: string): NonNullable<Mutant["statement"]> =>
  (sql) =>
    sql.replace(from, to);

/** Deliveries of these kinds are accepted and forgotten. */
export const dropping = (isIgnored: (event: { kind: string; action?: string }) => boolean): Mutant => ({
  queue: (queue) => ({
    ...queue,
    workDeliveries: (handler) =>
      queue.workDeliveries(async (job) => {
        const { event } = queuedDelivery.require(job, "of a job");
        if (!isIgnored(event)) await handler(job);
      }),
  }),
});

/** The answers of requests whose URL or body contains this text are read differently. */
export const misreading = (
  part: string,
  change: (body: string, status: number) => WireAnswer | string,
): Mutant => ({
  github: (send) => async (url, init) => {
    const answer = await send(url, init);
    if (!`${url} ${init.body ?? ""}`.includes(part)) return answer;
    const changed = change(decode(answer.body), answer.status);
    return typeof changed === "string" ? { ...answer, body: encode(changed) } : changed;
  },
});

/** Each process sends such a request only once, and takes its answer every later time. */
export const remembering = (part: string): Mutant => ({
  github: (send) => {
    const seen = new Map<string, WireAnswer>();
    return async (url, init) => {
      if (init.body?.includes(part) !== true) return send(url, init);
      const known = seen.get(init.body) ?? (await send(url, init));
      seen.set(init.body, known);
      return known;
    };
  },
});

/** A create whose answer was lost is sent again at once. */
export const repeating = (part: string): Mutant => ({
  github: (send) => async (url, init) => {
    const isCreate = init.method === "POST" && url.endsWith(part);
    return send(url, init).catch((error: unknown) => {
      if (isCreate) return send(url, init);
      throw error;
    });
  },
});
