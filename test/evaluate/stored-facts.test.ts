import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { SelectedStage } from "../../src/evaluate/facts/executions/executions.ts";
import { readStages } from "../../src/evaluate/facts/stages.ts";
import type { JobDeps } from "../../src/evaluate/run/deps.ts";
import { saveFinalFacts } from "../../src/store/final-facts.ts";
import { stage } from "../report/facts.ts";
import { usualEngine } from "../world/engines.ts";
import { failing } from "./context-world.ts";

it("facts stored by a version without usage-based resources are read again, and are unknown until then", async () => {
  const store = await usualEngine().open();
  try {
    const { cost, modules, counts, rows } = stage();
    const place = { org: "acme", project: "payments", executionId: "run-1", trace: { page: null } };
    const run = { candidate: place, workspace: "prod", stageExecutionId: "stage-1", status: "succeeded" };
    const stages = createHash("sha256")
      .update(JSON.stringify([["stage-1", "prod", "succeeded"]]))
      .digest("hex");
    const execution = { account: "a", org: "acme", project: "payments", pipeline_execution_id: "run-1" };
    const facts = [{ cost, modules, counts, rows }];
    await saveFinalFacts(store.db, { execution, stages, facts }, new Date(0));
    const platform = failing("unavailable");
    const deps = { db: store.db, platform, operator: { account: "a" } } as unknown as JobDeps; // all that is used
    const [read] = await readStages(
      deps,
      [{ stage: run, superseded: [] } as unknown as SelectedStage], // all that is used of it
      () => deps.platform,
    );
    expect(platform.asked).toContain("cost-changes-all-stages");
    expect(read?.cost).toMatchObject({ state: "unknown", reason: "unavailable" });
  } finally {
    await store.close();
  }
});
