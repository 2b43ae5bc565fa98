import { expect, onTestFinished, test } from "vitest";
import { addBinding, listHeadBindings } from "../../src/store/bindings.ts";
import { usualEngine } from "../world/engines.ts";

test("a notification of an execution takes the place of its status, and no status takes that of a notification", async () => {
  const store = await usualEngine().open();
  onTestFinished(() => store.close());
  const head = { repository_id: 1, head_sha: "a".repeat(40) };
  const execution = { ...head, org: "o", project: "p", pipeline_execution_id: "e" };
  const now = new Date("2026-11-23T12:00:00Z");
  for (const source of ["status", "notification", "check"] as const)
    await addBinding(store.db, { ...execution, source }, now);
  const bindings = await listHeadBindings(store.db, head.repository_id, head.head_sha);
  expect(bindings.map(({ source }) => source)).toEqual(["notification"]);
});
