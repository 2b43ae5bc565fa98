import { decimal } from "../../../src/kernel/money.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import type { ContextFacts } from "../../../src/report/model/context.ts";
import {
  changes,
  evaluation,
  finding,
  judged,
  module,
  money,
  report,
  resource,
  row,
  stage,
} from "../evaluation-builder.ts";

/** An evaluation of which every section that a team may word has something to tell, each name from `names`. */
export function full(names: (field: string) => string): Evaluation {
  const e = evaluation({
    report: report(
      [stage("a", ["10", "20"], { name: names("stage"), project: "p" }), stage("b", ["1", "2"])],
      {
        modules: [module("m", "9")],
        resources: [resource("r", "9")],
        changes: changes({ deleted: 2, replaced: 1, drifted: 1 }),
        rows: [
          row("deleted", names("deleted"), "a"),
          { ...row("replaced", names("replaced"), "a"), changedAttributes: [names("attribute")] },
          row("drifted", names("drifted"), "b"),
        ],
        lifetimes: [{ stage: "x", workspace: "a", currency: "USD", lifetimeMs: 1, amount: decimal("3") }],
        context: contextOf(names),
      },
    ),
    situation: judged("block", [finding(names("rule"))]),
    pull: { baseRef: names("base") },
  });
  const totals = e.report.totals.map((total) => ({ ...total, change: decimal("1") }));
  return { ...e, previous: { headSha: e.pull.headSha, totals } };
}

const contextOf = (names: (field: string) => string): ContextFacts => ({
  savings: {
    state: "known",
    value: {
      totals: [money("7")],
      items: [
        {
          recommendationId: "r",
          address: names("saving"),
          workspace: "a",
          resourceType: "t",
          change: "changed",
          monthly: money("5"),
        },
      ],
      unmatched: 1,
    },
  },
  anomalies: {
    state: "known",
    value: {
      count: 1,
      impact: money("5", "USD"),
      items: [{ id: "a", resource: names("anomaly"), perspective: names("perspective"), spend: null }],
    },
  },
  governance: { state: "known", value: { day: `d${names("day")}`, failed: 1, total: 2, statuses: {} } },
  unitCosts: {
    state: "known",
    value: [
      {
        metric: "m",
        perspective: names("perspective of a bill"),
        name: names("unit"),
        before: decimal("1"),
        after: null,
        asOf: null,
        currency: "USD",
      },
    ],
  },
  prompts: {
    state: "known",
    value: [{ description: names("prompt"), resource: "r", types: [names("type of a prompt")] }],
  },
  schedules: {
    state: "known",
    value: [
      {
        org: "default",
        project: "p",
        provisioner: "x",
        driftEveryMs: 1,
        lifetime: { ms: null, onDate: `d${names("date")}` },
      },
    ],
  },
});
