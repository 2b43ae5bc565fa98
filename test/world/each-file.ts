import { afterAll, expect, inject, TestRunner } from "vitest";
import { limitEventually } from "./eventually.ts";
import { watchProcess } from "./process-state.ts";

const restore = watchProcess();

// The hooks of the file itself run before this one, which was registered first.
afterAll(async () => {
  expect(await restore(), "this file left the process, which other files share, changed").toEqual([]);
});

limitEventually(() => {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) return inject("hookTimeoutMs"); // vitest does not tell when a hook began
  return test.timeout - (Date.now() - (test.result?.startTime ?? Date.now()));
});
