import { expect, it } from "vitest";
import { createErrorLog } from "../../src/queue/open.ts";

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
