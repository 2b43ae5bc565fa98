import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { reduceBody } from "../../../src/github/webhooks/accept-delivery.ts";
import { createThreadReducer } from "../../../src/wiring/deliveries/reduce-in-thread.ts";
import { opened } from "../../github/deliveries.ts";

const context = { ownAppId: 9, platformHosts: [], platformAppIds: [] };
const bodyOf = (text: string) => ({ name: "pull_request", bytes: Buffer.from(text), context });
const filler = Array.from({ length: 12_000 }, (_, at) => ({ path: `infra/${at}/${"x".repeat(300)}.tf` }));

it("a delivery of 4 MB is reduced to the same event in a thread, while the event loop runs", async () => {
  const text = JSON.stringify(opened({ filler }));
  const here = reduceBody(bodyOf(text));
  expect(here.state).toBe("enqueue");
  let turns = 0;
  let isReduced = false;
  const reducing = createThreadReducer()(bodyOf(text)).finally(() => {
    isReduced = true;
  });
  while (!isReduced) {
    await setImmediate();
    turns += 1;
  }
  expect(await reducing).toEqual(here);
  expect(turns).toBeGreaterThan(10);
});

it("a thread's answer names what a body is when it is no delivery", async () => {
  const reduce = createThreadReducer();
  const [broken, nested, other] = await Promise.all([
    reduce(bodyOf(`${" ".repeat(200_000)}{`)),
    reduce(bodyOf("[".repeat(200_000) + "]".repeat(200_000))),
    reduce({ ...bodyOf("{}"), name: "fork" }),
  ]);
  expect(broken).toEqual({ state: "not_json" });
  expect(nested).toEqual({ state: "ignored", reason: "malformed" });
  expect(other).toEqual({ state: "ignored", reason: "event" });
});
