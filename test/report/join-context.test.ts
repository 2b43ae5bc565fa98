import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { joinContexts } from "../../src/report/join.ts";
import { type ContextFacts, type GovernancePrompt, NO_CONTEXT } from "../../src/report/model/context.ts";
import { known } from "./facts.ts";

const joined = (...contexts: readonly Partial<ContextFacts>[]): ContextFacts =>
  joinContexts(contexts.map((context) => ({ ...NO_CONTEXT, ...context })));

describe("the facts for several pull requests together", () => {
  const prompt = (description: string, ...types: readonly string[]): GovernancePrompt => {
    return { description, resource: "aws.ec2", types };
  };
  const ABSENT = { state: "absent" } as const;
  const UNREAD = { state: "unknown", reason: "timed_out" } as const;

  it("a suggested rule is one, for the types that any of them touches", () => {
    expect(
      joined(
        { prompts: known([prompt("a", "y"), prompt("b", "x")]) },
        { prompts: known([prompt("a", "x", "y")]) },
      ).prompts,
    ).toEqual(known([prompt("a", "x", "y"), prompt("b", "x")]));
    expect(joined({ prompts: known([]) }, { prompts: UNREAD }).prompts).toEqual(UNREAD);
  });

  const schedule = { org: "o", project: "p", provisioner: "x", driftEveryMs: 9, lifetime: null };
  it.each<[string, readonly ContextFacts["schedules"][], ContextFacts["schedules"]]>([
    ["those of one, where another has none", [known([schedule]), ABSENT], known([schedule])],
    ["the same the other way round", [ABSENT, known([schedule])], known([schedule])],
    ["none where none has any", [ABSENT, ABSENT], ABSENT],
    ["not known where one is not", [ABSENT, UNREAD], UNREAD],
  ])("schedules are %s", (_, facts, expected) => {
    expect(joined(...facts.map((schedules) => ({ schedules }))).schedules).toEqual(expected);
  });

  it("a metric over one perspective is not the same over another", () => {
    const unit = (perspective: string, after: string) => ({
      metric: "spend",
      name: "Spend",
      perspective,
      before: decimal("10"),
      after: decimal(after),
      asOf: null,
      currency: "USD",
    });
    const both = joined(
      { unitCosts: known([unit("a", "12"), unit("b", "10")]) },
      { unitCosts: known([unit("a", "13"), unit("b", "11")]) },
    );
    expect(both.unitCosts).toEqual(known([unit("a", "15"), unit("b", "11")]));
  });
});
