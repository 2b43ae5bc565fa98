import { describe, expect, it } from "vitest";
import { computeContextGrant, type Grantee } from "../../src/evaluate/facts/grants.ts";
import { computeValueAfter } from "../../src/evaluate/facts/unit-costs.ts";
import type { ContextGrant, OperatorRules } from "../../src/evaluate/run/operator-rules.ts";
import { decimal } from "../../src/kernel/money.ts";
import { selectWantedFacts, type WantedFacts } from "../../src/policy/decide/wanted-facts.ts";
import type { StageFacts, UsageBasedResources } from "../../src/report/model/facts.ts";
import { policy } from "../policy/policies.ts";
import { cost, known, stage } from "../report/facts.ts";

describe("the context facts that are read for a pull request", () => {
  const under = (text: string): WantedFacts =>
    selectWantedFacts({ state: "found", policy: policy(text), sources: [], rulePlaces: [] });
  const rule = (limit: string) => `rules: [{ id: r, limit: { ${limit} } }]`;

  it.each<[string, string]>([
    ["missed-savings: 10 USD", "savings"],
    ["anomalies: 0", "anomalies"],
    ["anomaly-cost: 0 USD", "anomalies"],
    ["governance-failures: 0", "governance"],
    ["unit-cost: { metric: m, percent: 5 }", "unitCosts"],
  ])("a rule with %s waits for %s; the others are shown if they come", (limit, name) => {
    const wanted = under(rule(limit));
    expect(wanted.required).toEqual([name]);
    expect([...wanted.required, ...wanted.shown].sort()).toEqual([
      "anomalies",
      "governance",
      "prompts",
      "savings",
      "schedules",
      "unitCosts",
    ]);
  });

  it.each([
    ["savings.size() > 0", "savings"],
    ["anomalies.count > 0", "anomalies"],
    ["anomalies.cost > 0", "anomalies"],
    ["governance.failed > 0", "governance"],
    ["unit_costs.exists(u, u.percent > 5.0)", "unitCosts"],
    ["lifetimes.exists(l, l.hours > 24.0)", "schedules"],
    ['governance_prompts.exists(p, p.type == "aws_instance")', "prompts"],
  ])("a condition that reads %s waits for %s", (condition, name) => {
    expect(under(`rules: [{ id: r, when: '${condition}' }]`).required).toEqual([name]);
  });

  it("a policy whose rules need none delays no check", () => {
    expect(under(rule("increase: 5 USD")).required).toEqual([]);
  });

  it("facts of omitted comment sections are not read unless a rule needs them", () => {
    const wanted = under(`${rule("anomalies: 0")}\ncomment: { sections: [costs, savings] }`);
    expect(wanted).toMatchObject({ required: ["anomalies"], shown: ["savings"], attributes: false });
  });

  it("without a policy all facts are only shown; under an unreadable policy none is read", () => {
    expect(selectWantedFacts({ state: "none" })).toMatchObject({ required: [], attributes: true });
    expect(selectWantedFacts({ state: "none" }).shown).toHaveLength(6);
    expect(selectWantedFacts({ state: "invalid", problems: [], sources: [] })).toMatchObject({
      required: [],
      shown: [],
      attributes: false,
    });
  });
});

describe("the operator's grants beside projects", () => {
  const context = (perspective: string): ContextGrant => ({
    perspectives: [perspective],
    cloudAccounts: [],
    clouds: [],
    unitMetrics: [],
    measuredPerspectives: [],
  });
  const grants = [
    { owner: 1, org: "o", project: "pay", context: context("pay") },
    { owner: 1, repository: 10, org: "o", project: "shop", context: context("shop") },
    { owner: 1, repository: 11, org: "o", context: context("other-repository") },
    { owner: 2, org: "o", context: context("other-owner") },
  ];
  // The grants are all that is looked at.
  const rules = { grants, embedded: false } as unknown as OperatorRules;
  const asker: Grantee = {
    ownerId: 1,
    repositoryId: 10,
    owner: "acme",
    name: "shop",
    restriction: { org: null, project: null },
  };

  it("grants the perspectives of the repository and of its owner, and no others", () => {
    expect(computeContextGrant(rules, asker).perspectives).toEqual(["pay", "shop"]);
  });

  it.each([
    [{ org: "o", project: "shop" }, ["shop"]],
    [{ org: "o", project: "elsewhere" }, []],
    [{ org: "elsewhere", project: null }, []],
  ])("is narrowed by the policy's %o", (narrowed, expected) => {
    expect(computeContextGrant(rules, { ...asker, restriction: narrowed }).perspectives).toEqual(expected);
  });
});

const NEW_QUEUE: UsageBasedResources = {
  resources: [{ address: "cloud_queue.a", type: "cloud_queue", change: "added" }],
  unnamed: 0,
  unnamedUnchanged: 0,
};

describe("the cost of a unit after merging", () => {
  const grant = { metric: "m", org: "acme", project: "pay", workspaces: ["prod", "edge"] };
  const of = (workspace: string, text: string, but: Partial<StageFacts> = {}) =>
    stage({ org: "acme", project: "pay", workspace, cost: known(cost(text)), ...but });
  const unitAfter = (stages: readonly StageFacts[], more: object = {}, over: object = {}) =>
    computeValueAfter(
      decimal("2"),
      { ...grant, ...more },
      { stages, hasRefused: false, currency: "USD", ...over },
    );
  const both = [of("prod", "90 > 140"), of("edge", "10 > 10")];

  it("grows with the cost of all of its workspaces", () => {
    expect(unitAfter(both)).toBe("3");
    expect(unitAfter([...both, of("staging", "5 > 500")])).toBe("3");
  });

  it("does not change when merging touches none of them", () => {
    expect(unitAfter([of("staging", "5 > 500")])).toBe("2");
    expect(unitAfter([of("prod", "5 > 500", { project: "other" })])).toBe("2");
  });

  it.each<[string, readonly StageFacts[], object]>([
    ["only some of them are touched", [of("prod", "90 > 140")], {}],
    ["nobody said which they are", both, { workspaces: null }],
    ["an execution's stages are not known", [...both, of("x", "1 > 1", { isUnread: true })], {}],
    ["nothing was paid before", [of("prod", "0 > 140"), of("edge", "0 > 10")], {}],
    [
      "one of them has something new that is paid by usage",
      [of("prod", "90 > 140", { cost: known(cost("90 > 140", { usage: NEW_QUEUE })) }), of("edge", "1 > 1")],
      {},
    ],
    ["one of them failed", [of("prod", "90 > 140", { status: "failed" }), of("edge", "1 > 1")], {}],
    ["one is only claimed", [of("prod", "90 > 140", { proven: false }), of("edge", "1 > 1")], {}],
    ["a cost is not stated", [of("prod", "90 > ?"), of("edge", "1 > 1")], {}],
    [
      "a part of one was not estimated",
      [
        of("prod", "90 > 140", { cost: known(cost("90 > 140", { completeness: "partial" })) }),
        of("edge", "1 > 1"),
      ],
      {},
    ],
    [
      "two projects have a workspace of that name",
      [...both, of("prod", "1 > 1", { project: "other" })],
      { project: undefined },
    ],
  ])("is not shown where %s", (_, stages, more) => {
    expect(unitAfter(stages, more)).toBeNull();
  });

  it.each([
    ["something may not be seen here", { hasRefused: true }],
    ["they are billed in another currency", { currency: "EUR" }],
  ])("is not shown where %s", (_, over) => {
    expect(unitAfter(both, {}, over)).toBeNull();
  });
});
