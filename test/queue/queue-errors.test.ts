import { afterEach, expect, it } from "vitest";
import { openBoss } from "../../src/queue/open.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { openEmbedded } from "../world/engines.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** What the log says of the error, in its one line. */
async function logged(emit: (boss: Awaited<ReturnType<typeof openBoss>>) => void): Promise<string> {
  const lines: string[] = [];
  const store = await openEmbedded();
  const boss = await openBoss(
    store,
    createLog("warn", { destination: { write: (line) => lines.push(line) } }),
  );
  ends.push(store.close, () => boss.stop({ graceful: false }));
  emit(boss);
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

it("an error of the queue is logged with its code, its message and its cause, and without the request that it carries", async () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("the fetch failed", { cause }), {
    code: "57P01",
    detail: "Key (lane)=(a tenant's name)",
    parameters: ["a tenant's name"],
  });
  const line = await logged((boss) => boss.emit("error", error));
  expect(JSON.parse(line).error).toMatchObject({
    type: "Error",
    code: "57P01",
    message: "the fetch failed",
    cause: { code: "ECONNREFUSED", message: "connect ECONNREFUSED" },
  });
  expect(line).not.toContain("tenant");
});

it("an error that pg-boss copied into another object is logged with its message", async () => {
  const copy = {
    ...new Error(),
    message: "the fetch failed",
    stack: "Error: at",
    code: "53300",
    queue: "lane",
    worker: "w1",
  };
  const line = await logged((boss) => boss.emit("error", copy as unknown as Error)); // the library does the same
  expect(JSON.parse(line).error).toMatchObject({
    message: "the fetch failed",
    code: "53300",
    queue: "lane",
    worker: "w1",
  });
  expect(line).not.toContain("[object Object]");
});

it("a connection that failed at every address is logged with the reason at each", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED ::1:5432"), { code: "ECONNREFUSED" });
  const line = await logged((boss) => boss.emit("error", new AggregateError([refused], "")));
  expect(JSON.parse(line).error.errors).toMatchObject([
    { code: "ECONNREFUSED", message: "connect ECONNREFUSED ::1:5432" },
  ]);
});
