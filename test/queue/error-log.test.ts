import { expect, it } from "vitest";
import { createErrorLog } from "../../src/queue/open.ts";
import { createLog } from "../../src/wiring/process/log.ts";

const failure = (worker: number) => ({
  message: `sorry, too many clients already (Queue: lane, Worker: ${worker})`,
  code: "53300",
});

it("an error that every worker reports at every poll is logged once a minute, with the way out", () => {
  const logged: (readonly [details: object, message: string])[] = [];
  let nowMs = 1;
  const report = createErrorLog({ error: (...line) => logged.push(line) }, { now: () => nowMs });
  for (let worker = 0; worker < 500; worker++) report(failure(worker));
  expect(logged).toEqual([
    [
      { error: failure(0), hint: expect.stringContaining("Raise max_connections") },
      "the queue waits for the database: it has no free connection",
    ],
  ]);
  nowMs = 60_002;
  report(failure(1));
  expect(logged).toHaveLength(2);
  report(new Error("another one"));
  expect(logged[2]).toEqual([{ error: new Error("another one") }, "the queue reports an error"]);
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
  report(missing);
  expect(logged[3]).toEqual([{ error: missing }, "the queue reports an error"]);
});

/** What the log says of an error, in its one line. */
function logLine(error: unknown): string {
  const lines: string[] = [];
  createErrorLog(createLog("warn", { destination: { write: (line) => lines.push(line) } }))(error);
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

it("an error of the queue is logged with its code, its message and its cause, and without the request that it carries", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const error = Object.assign(new Error("the fetch failed", { cause }), {
    code: "57P01",
    detail: "Key (lane)=(a tenant's name)",
    parameters: ["a tenant's name"],
  });
  const line = logLine(error);
  expect(JSON.parse(line).error).toMatchObject({
    type: "Error",
    code: "57P01",
    message: "the fetch failed",
    cause: { code: "ECONNREFUSED", message: "connect ECONNREFUSED" },
  });
  expect(line).not.toContain("tenant");
});

it("an error that pg-boss copied into another object is logged with its message", () => {
  const copy = {
    ...new Error(),
    message: "the fetch failed",
    stack: "Error: at",
    code: "53300",
    queue: "lane",
    worker: "w1",
  };
  const line = logLine(copy); // the library does the same
  expect(JSON.parse(line).error).toMatchObject({
    message: "the fetch failed",
    code: "53300",
    queue: "lane",
    worker: "w1",
  });
  expect(line).not.toContain("[object Object]");
});

it("a connection that failed at every address is logged with the reason at each", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED ::1:5432"), { code: "ECONNREFUSED" });
  const line = logLine(new AggregateError([refused], ""));
  expect(JSON.parse(line).error.errors).toMatchObject([
    { code: "ECONNREFUSED", message: "connect ECONNREFUSED ::1:5432" },
  ]);
});
