import { AsyncLocalStorage, createHook } from "node:async_hooks";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Mutant } from "./bot.ts";
import { decode } from "./mutant-parts.ts";
import { play } from "./play.ts";
import { type Step, story } from "./step.ts";
import { openStoryDatabase } from "./story.ts";
import { OPENS, planned, SETTLES } from "./usual-steps.ts";

const has = (steps: readonly Step[], what: Step["do"]): boolean => steps.some((step) => step.do === what);

/** Of different beginnings; processes crash and stall in them, and calls fail. */
const DISTURBED = fc
  .sample(story(30), { seed: 20_261_128, numRuns: 200 })
  .filter((steps) => has(steps, "crashes") && has(steps, "call fails") && has(steps, "stalls"))
  .slice(0, 3);

/** A bot as it is, whose statements, requests and answers are written down. `pauseMs`: each statement takes so much longer. */
const recording = (record: string[], pauseMs = 0): Mutant => ({
  statement: (sql, parameters) => {
    if (pauseMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    record.push(`${sql} ${JSON.stringify(parameters)}`);
    return sql;
  },
  github: (send) => async (url, init) => {
    record.push(`${init.method} ${url} ${init.body ?? ""}`);
    const { status, body, ...answer } = await send(url, init);
    record.push(`${status} ${decode(body)}`);
    return { ...answer, status, body };
  },
  platform: (transport) => ({
    ...transport,
    send: async (request) => {
      record.push(`${request.method} ${request.target}`);
      const answer = await transport.send(request);
      record.push("body" in answer ? `${answer.status} ${decode(answer.body)}` : JSON.stringify(answer));
      return answer;
    },
  }),
});

/** What takes real time, in the stories that `run` plays: timers, and work of other threads. */
async function findRealTime(run: () => Promise<unknown>): Promise<readonly string[]> {
  const found = new AsyncLocalStorage<Set<string>>();
  const hook = createHook({
    init(_, type) {
      if (type === "Timeout" || (/^[A-Z\d_]+$/.test(type) && type !== "PROMISE"))
        found.getStore()?.add(`${type} ${new Error().stack}`);
    },
  });
  const kinds = new Set<string>();
  hook.enable();
  try {
    await found.run(kinds, run);
  } finally {
    hook.disable();
  }
  return [...kinds];
}

describe("a story of the simulator", () => {
  let database: Awaited<ReturnType<typeof openStoryDatabase>>;
  beforeAll(async () => {
    database = await openStoryDatabase();
  });
  afterAll(() => database.close());

  test.each(DISTURBED.map((steps, index) => [index, steps] as const))(
    "has the same effects each time, byte for byte, also in a slow process in which something else goes on: %i",
    async (_, steps) => {
      const [first, second]: [string[], string[]] = [[], []];
      const ends = await play(database, steps, recording(first));
      const leftBehind = setInterval(() => setTimeout(() => setImmediate(Math.random), 1), 1);
      onTestFinished(() => clearInterval(leftBehind));
      const again = await play(database, steps, recording(second, 1));
      expect(second).toEqual(first);
      expect(again).toEqual(ends);
      expect(first.length).toBeGreaterThan(300);
    },
  );

  test("starts no real timer, and waits for no other thread", async () => {
    await play(database, []); // the keys of the App are made once
    expect(await findRealTime(() => play(database, [OPENS, planned(500), SETTLES]))).toEqual([]);
  });

  test("that is begun during another one is played after it", async () => {
    const steps = [OPENS, planned(20)];
    const [first, second] = await Promise.all([play(database, steps), play(database, steps)]);
    expect(second).toEqual(first);
  });
});
