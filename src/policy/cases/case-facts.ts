import { sum } from "../../kernel/money.ts";
import type { ContextFacts, Savings, Schedule } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { PullFacts } from "../../report/model/pull-facts.ts";
import type { BudgetUse, EvaluationContext } from "../model/context.ts";
import type { Case } from "./case-schema.ts";
import { buildStageFacts } from "./stage-facts.ts";

const CASE_PROJECT = { org: "org", project: "project" };
const REFUSED_EXECUTION = { ...CASE_PROJECT, executionId: "hidden", reason: "not_granted" } as const;

/** The facts of a pull request that a case states. */
export function buildCaseFacts(testCase: Case): PullFacts {
  return {
    stages: (testCase.stages ?? []).map(buildStageFacts),
    refused: testCase.hidden === true ? [REFUSED_EXECUTION] : [],
    context: buildContextFacts(testCase),
  };
}

function buildContextFacts(testCase: Case): ContextFacts {
  const { anomalies = 0, governance_failures: failed = 0, unit_costs = {} } = testCase;
  const unless = <T>(name: NonNullable<Case["unknown"]>[number], value: T): Fact<T> =>
    testCase.unknown?.includes(name) === true
      ? { state: "unknown", reason: "not_read" }
      : { state: "known", value };
  return {
    schedules: unless("lifetimes", testCase.lifetime === undefined ? [] : [buildSchedule(testCase.lifetime)]),
    savings: unless("savings", buildSavings(testCase)),
    anomalies: unless("anomalies", { count: anomalies, impact: null, items: [] }),
    governance: unless("governance", { day: "2026-01-01", failed, total: failed, statuses: {} }),
    unitCosts: unless(
      "unit_costs",
      Object.entries(unit_costs).map(([metric, [before, after]]) => ({
        metric,
        name: metric,
        perspective: null,
        before,
        after,
        asOf: null,
        currency: "USD",
      })),
    ),
    prompts: unless(
      "governance_prompts",
      (testCase.governance_prompts ?? []).map(({ type, resource = type, description }) => ({
        resource,
        types: [type],
        description,
      })),
    ),
  };
}

const buildSchedule = (ms: number): Schedule => ({
  ...CASE_PROJECT,
  provisioner: "any",
  driftEveryMs: null,
  lifetime: { ms, onDate: null },
});

function buildSavings({ savings = [] }: Case): Savings {
  const byCurrency = Map.groupBy(savings, ({ monthly }) => monthly.currency);
  return {
    totals: [...byCurrency].map(([currency, own]) => ({
      amount: sum(own.map(({ monthly }) => monthly.amount)),
      currency,
    })),
    items: savings.map(({ address, workspace, type = "", monthly }, at) => ({
      recommendationId: String(at),
      address,
      workspace,
      resourceType: type,
      change: "changed",
      monthly,
    })),
    unmatched: 0,
  };
}

const DAY_MS = 86_400_000;
const USUAL_DAY_MS = Date.UTC(2026, 0, 1);

/** The context of a pull request that a case states. */
export function buildCaseContext(testCase: Case): EvaluationContext {
  const { pull = {}, day } = testCase;
  const missing = (name: NonNullable<typeof pull.unknown>[number]) => pull.unknown?.includes(name) === true;
  return {
    number: pull.number ?? 1,
    author: missing("author") ? null : (pull.author ?? "somebody").toLowerCase(),
    labels: missing("labels") ? null : (pull.labels ?? []),
    baseRef: pull.base ?? "main",
    draft: pull.draft ?? false,
    paths: pull.paths ?? [],
    pathsComplete: !missing("paths"),
    // A day was parsed as its end; a waiver that is in force on the day is in force at its start.
    nowMs: day === undefined ? USUAL_DAY_MS : day - DAY_MS,
    budgetUse: testCase.unknown?.includes("budget_use") === true ? null : buildBudgetUse(testCase),
  };
}

function buildBudgetUse({ budget_use: use = {} }: Case): BudgetUse {
  const { workspaces = [], pulls = [] } = use;
  return {
    workspaces: workspaces.map(({ workspace, monthly }) => ({ ...CASE_PROJECT, workspace, ...monthly })),
    pulls: pulls.map(({ workspace, monthly }, at) => ({
      ...CASE_PROJECT,
      workspace,
      ...monthly,
      number: at + 2,
    })),
    unknown: [],
  };
}
