import { describe, expect, it } from "vitest";
import { NO_TRACE } from "../../src/evaluate/facts/executions/claims.ts";
import { type StageExecution, selectNewestStages } from "../../src/evaluate/facts/executions/executions.ts";
import type { BindingSource } from "../../src/report/model/stage-origin.ts";

describe("of several executions of a stage in one workspace", () => {
  const run = (executionId: string, createdMs: number, source: BindingSource | "claim"): StageExecution => ({
    candidate: {
      org: "o",
      project: "p",
      executionId,
      source: source === "claim" ? "status" : source,
      proven: source !== "claim",
      trace: NO_TRACE,
    },
    workspace: "w",
    stageExecutionId: "s",
    status: "succeeded",
    createdMs,
  });
  it.each<[string, readonly StageExecution[], string]>([
    ["the newest counts", [run("old", 1, "status"), run("new", 2, "audit")], "new"],
    ["no claim replaces a proven one", [run("own", 1, "status"), run("claim", 9, "claim")], "own"],
    ["no assumed one replaces the head's own", [run("own", 1, "status"), run("other", 9, "assumed")], "own"],
    [
      "an assumed one is better than a claim",
      [run("claim", 9, "claim"), run("other", 1, "assumed")],
      "other",
    ],
  ])("%s", (_, runs, expected) => {
    expect(selectNewestStages(runs).map((winner) => winner.stage.candidate.executionId)).toEqual([expected]);
  });
});
