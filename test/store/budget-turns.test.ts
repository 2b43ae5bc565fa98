import { afterAll, describe, expect, it } from "vitest";
import { dropClaims, readBudgetUse } from "../../src/store/after-merge/budget-use.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveDecision } from "../../src/store/evaluations.ts";
import { evaluatedSituation, evaluation, report, stage } from "../render/evaluation-builder.ts";
import { engines } from "../world/engines.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

describe.each(engines())("those who count towards a budget, on $name", async ({ open }) => {
  const store = await open();
  afterAll(() => store.close());

  const decision = (number: number, change: string, conclusion: "success" | "failure" = "success") => {
    const made = evaluation({
      pull: { repositoryId: 1, number },
      report: report([stage("prod", ["0", change])]),
      situation: evaluatedSituation(conclusion === "success" ? "pass" : "block"),
    });
    const check = { status: "completed", conclusion } as const;
    return {
      evaluation: { ...made, check },
      digest: `${number} ${change} ${conclusion}`,
      policyBlobs: "",
    };
  };
  const use = () => readBudgetUse(store.db, 1, NOW);
  const save = async (number: number, kept: ReturnType<typeof decision>, budgetVersion: number) =>
    saveDecision(store.db, kept, {
      fence: await enterLane(store.db, `pull:1:${number}`, NOW),
      now: NOW,
      budgetVersion,
    });

  it("decide one after the other: a decision made before another one counted is made anew", async () => {
    const { version } = await use();
    expect(await save(1, decision(1, "10"), version)).toMatchObject({ state: "saved", budgetsChanged: true });
    expect(await save(2, decision(2, "20"), version)).toEqual({ state: "overtaken" });
    const seen = await use();
    expect(seen.claims.map(({ number, amount }) => [number, amount])).toEqual([[1, "10"]]);
    expect(await save(2, decision(2, "20", "failure"), seen.version)).toMatchObject({
      state: "saved",
      budgetsChanged: false,
    });
  });

  it("say when something else counts, and not when the same does", async () => {
    const { version } = await use();
    expect(await save(1, decision(1, "10"), version)).toMatchObject({
      state: "saved",
      budgetsChanged: false,
    });
    expect(await dropClaims(store.db, { repositoryId: 1, number: 1 })).toBe(true);
    expect(await dropClaims(store.db, { repositoryId: 1, number: 1 })).toBe(false);
    expect((await use()).claims).toEqual([]);
  });
});
