import { expect, onTestFinished, test } from "vitest";
import { addBinding, listHeadBindings } from "../../src/store/bindings.ts";
import { usualEngine } from "../world/engines.ts";

test("a notification of an execution takes the place of its status, also of a later poster, and no status takes that of a notification", async () => {
  const store = await usualEngine().open();
  onTestFinished(() => store.close());
  const head = { repository_id: 1, head_sha: "a".repeat(40) };
  const execution = { ...head, org: "o", project: "p", pipeline_execution_id: "e" };
  const now = new Date("2026-11-23T12:00:00Z");
  const seen: unknown[] = [];
  for (const by of [
    { source: "status", poster_id: 5 },
    { source: "check", poster_id: 6 },
    { source: "notification" },
    { source: "status", poster_id: 5 },
  ] as const) {
    await addBinding(store.db, { ...execution, ...by }, now);
    const bindings = await listHeadBindings(store.db, head.repository_id, head.head_sha);
    seen.push(...bindings.map(({ source, poster_id }) => [source, poster_id]));
  }
  expect(seen).toEqual([
    ["status", 5],
    ["check", 6],
    ["notification", null],
    ["notification", null],
  ]);
});
