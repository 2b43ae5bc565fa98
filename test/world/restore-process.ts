import { afterAll, expect } from "vitest";
import { watchProcess } from "./process-state.ts";

const restore = watchProcess();

// The hooks of the file itself run before this one, which was registered first.
afterAll(async () => {
  expect(await restore(), "this file left the process, which other files share, changed").toEqual([]);
});
