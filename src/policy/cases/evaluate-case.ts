import { DAY_MS } from "../../kernel/clock.ts";
import { findPeriod, PERIOD_UNITS, startAt, toMonthParts } from "../../kernel/fiscal-periods.ts";
import { toIsoDay } from "../../kernel/instant.ts";
import { computePercentChange, type Decimal, minus, sum } from "../../kernel/money.ts";
import type { StatedTags } from "../../kernel/resource-tags.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import { buildReport } from "../../report/build.ts";
import type { ContextFacts, PullFacts, Savings, Schedule } from "../../report/model/context.ts";
import type {
  ChangeCounts,
  CostDelta,
  Fact,
  Invocation,
  ResourceChange,
  StageCost,
  StageFacts,
  UnknownReason,
  UsageBasedResources,
} from "../../report/model/facts.ts";
import { deriveModulePath } from "../../report/model/module-path.ts";
import {
  type AttributesByRow,
  buildResourceAttributes,
  buildRowId,
} from "../../report/model/resource-attributes.ts";
import { evaluatePolicy } from "../evaluate-policy.ts";
import type { BudgetUse, EvaluationContext } from "../model/context.ts";
import type { Finding, MeasuredValue, UndecidedReason, Verdict } from "../model/finding.ts";
import { type BudgetPeriod, chooseReportOptions, type Policy } from "../model/policy.ts";
import { describeMismatch } from "../scope/mismatch.ts";
import { ConditionRun } from "../when/condition-run.ts";
import { ACTIONS, USAGE_ACTIONS } from "../when/environment.ts";
import type { Case, CaseStage, ExpectedFinding } from "./case-schema.ts";

/** One difference between the expected and the actual outcome of a case. */
export interface CaseDifference {
  /** `verdict`, or a rule and its member. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

export interface CaseResult {
  readonly name: string;
  readonly verdict: Verdict;
  /** Empty: the case came out as expected. */
  readonly differences: readonly CaseDifference[];
}

/** Evaluates a case like a pull request, and compares the outcome with the expectation. */
export function evaluateCase(testCase: Case, policy: Policy, conditions = new ConditionRun()): CaseResult {
  const report = buildReport(buildCaseFacts(testCase), chooseReportOptions(policy));
  const verdict = evaluatePolicy(report, policy, {
    context: buildCaseContext(testCase),
    attributes: buildCaseAttributes(testCase),
    conditions,
  });
  const { verdict: kind, findings = {} } = testCase.expect;
  const rules = policy.rules.map(({ id }) => id);
  const differences = [
    ...(kind === undefined || kind === verdict.kind
      ? []
      : [{ what: "verdict", expected: kind, found: verdict.kind }]),
    ...Object.entries(findings).flatMap(([rule, expected]) =>
      rules.includes(rule)
        ? compareFindings(
            rule,
            toMapping(expected),
            verdict.findings.filter((finding) => finding.rule === rule),
          )
        : [createUnknownRule(rule, toMapping(expected), rules)],
    ),
    ...listUnexpected(verdict.findings, new Set(Object.keys(findings))),
  ];
  return { name: testCase.case, verdict, differences };
}

const toMapping = (expected: NonNullable<Case["expect"]["findings"]>[string]): ExpectedFinding =>
  typeof expected === "string" ? { outcome: expected } : expected;

/** A misspelled rule id matches no finding. */
function createUnknownRule(
  rule: string,
  { outcome }: ExpectedFinding,
  rules: readonly string[],
): CaseDifference {
  const meant = suggestChoice(rule, rules);
  const found = `no rule is called so${meant === null ? "" : ` (did you mean ${meant}?)`}`;
  return { what: rule, expected: outcome, found };
}

/** Findings that did not pass and that the case does not expect. */
const listUnexpected = (
  findings: readonly Finding[],
  named: ReadonlySet<string>,
): readonly CaseDifference[] => {
  const strangers = findings.filter(
    ({ rule, outcome }) => !["passed", "not_applicable"].includes(outcome) && !named.has(rule),
  );
  return [...Map.groupBy(strangers, ({ rule }) => rule)].map(([rule, own]) => ({
    what: rule,
    expected: "nothing",
    found: describeFindings(own),
  }));
};

function compareFindings(
  rule: string,
  { outcome, about, measured, message, because }: ExpectedFinding,
  findings: readonly Finding[],
): readonly CaseDifference[] {
  const own = findings.filter((finding) => deriveCaseOutcome(finding) === outcome);
  if (own.length < countRequired(outcome, findings))
    return [{ what: rule, expected: outcome, found: describeFindings(findings) }];
  const differs = (what: string, expected: string | undefined, found: string): readonly CaseDifference[] =>
    expected === undefined || expected === found ? [] : [{ what: `${rule} ${what}`, expected, found }];
  const [first] = own;
  return [
    ...differs(
      "about",
      about === undefined ? undefined : joinNames(about),
      joinNames(own.flatMap(({ subject }) => subject ?? [])),
    ),
    ...differs("measured", measured, formatMeasured(first?.measured ?? null)),
    ...differs("message", message, first?.message ?? "none"),
    ...differs("because", because, (first?.because ?? []).map(describeReason).join(", ")),
  ];
}

/** A rule passes only where all its findings pass; other outcomes may apply to some stages alone. */
const countRequired = (outcome: ExpectedFinding["outcome"], findings: readonly Finding[]): number =>
  outcome === "passed" ? Math.max(1, findings.length) : 1;

const joinNames = (names: readonly string[]): string => names.toSorted().join(", ");

/** A rule that is not applicable is silent. */
function deriveCaseOutcome({ outcome, waiver }: Finding): ExpectedFinding["outcome"] {
  if (outcome === "not_applicable") return "silent";
  return waiver === null ? outcome : "waived";
}

const describeFindings = (findings: readonly Finding[]): string =>
  findings
    .map((finding) => {
      const { subject, measured, because, mismatch } = finding;
      const reasons =
        mismatch === undefined ? because.map(describeReason).join(", ") : describeMismatch(mismatch);
      const value = measured === null ? reasons : formatMeasured(measured);
      const about = subject === null ? "" : ` in ${subject}`;
      return `${deriveCaseOutcome(finding)}${about}${value === "" ? "" : `: ${value}`}`;
    })
    .join("; ");

/** The measured value, formatted as in an expectation. */
function formatMeasured(measured: MeasuredValue | null): string {
  switch (measured?.kind) {
    case undefined:
      return "";
    case "money":
      return `${measured.amount} ${measured.currency}`;
    case "percent":
      return `${measured.percent}%`;
    case "increase_from_zero":
      return "increase from zero";
    case "count":
      return String(measured.count);
    case "condition":
      return measured.count === null ? "" : String(measured.count);
  }
}

function describeReason(because: UndecidedReason): string {
  if (because.kind === "unknown") return because.reason;
  if (because.kind === "condition_failed") return because.problem;
  if (because.kind === "resources") return because.unknown;
  return because.kind === "other_currency" ? `${because.found} for ${because.expected}` : because.kind;
}

const CASE_PROJECT = { org: "org", project: "project" };
const REFUSED_EXECUTION = { ...CASE_PROJECT, executionId: "hidden", reason: "not_granted" } as const;

/** The facts of a pull request that a case states. */
function buildCaseFacts(testCase: Case): PullFacts {
  return {
    stages: (testCase.stages ?? []).map(buildStageFacts),
    refused: testCase.hidden === true ? [REFUSED_EXECUTION] : [],
    context: buildContextFacts(testCase),
  };
}

function buildContextFacts(testCase: Case): ContextFacts {
  const {
    anomalies = 0,
    anomaly_cost: impact = null,
    governance_failures: failed = 0,
    unit_costs = {},
  } = testCase;
  const unless = <T>(name: NonNullable<Case["unknown"]>[number], value: T): Fact<T> =>
    testCase.unknown?.includes(name) === true
      ? { state: "unknown", reason: "not_read" }
      : { state: "known", value };
  return {
    schedules: unless("lifetimes", testCase.lifetime === undefined ? [] : [buildSchedule(testCase.lifetime)]),
    savings: unless("savings", buildSavings(testCase)),
    anomalies: unless("anomalies", { count: anomalies, impact, items: [] }),
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

/** The attributes of rows that a case states. */
function buildCaseAttributes({ stages = [] }: Case): Fact<AttributesByRow> {
  const unknown = stages.find((stage) => stage.unknown?.attributes !== undefined)?.unknown?.attributes;
  return toFact(unknown, () =>
    Object.fromEntries(
      stages.flatMap((stage) =>
        buildRows(stage).map((row) => {
          const { before = {}, after = {} } = stage.attributes?.[row.address] ?? {};
          const names = new Set([...Object.keys(before), ...Object.keys(after)]);
          const changes = [...names].map((name) => [name, { old: before[name], new: after[name] }]);
          return [
            buildRowId({ ...CASE_PROJECT, workspace: stage.workspace }, row),
            buildResourceAttributes(Object.fromEntries(changes), { change: row.change }),
          ];
        }),
      ),
    ),
  );
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

const USUAL_DAY_MS = Date.UTC(2026, 0, 1);

/** The context of a pull request that a case states. */
function buildCaseContext(testCase: Case): EvaluationContext {
  const { pull = {}, day } = testCase;
  const missing = (name: NonNullable<typeof pull.unknown>[number]) => pull.unknown?.includes(name) === true;
  // A day was parsed as its end; a waiver that is in force on the day is in force at its start.
  const nowMs = day === undefined ? USUAL_DAY_MS : day - DAY_MS;
  return {
    number: pull.number ?? 1,
    author: missing("author") ? null : (pull.author ?? "somebody").toLowerCase(),
    labels: missing("labels") ? null : (pull.labels ?? []),
    baseRef: pull.base ?? "main",
    draft: pull.draft ?? false,
    paths: pull.paths ?? [],
    pathsComplete: !missing("paths"),
    nowMs,
    budgetUse: testCase.unknown?.includes("budget_use") === true ? null : buildBudgetUse(testCase, nowMs),
  };
}

function buildBudgetUse({ budget_use: use = {} }: Case, nowMs: number): BudgetUse {
  const { workspaces = [], pulls = [], merged = [] } = use;
  const today = toIsoDay(nowMs);
  const buildPeriod = (period: BudgetPeriod) => ({
    ...period,
    merged: merged.map(({ workspace, monthly: { amount, currency } }) => {
      return { ...CASE_PROJECT, workspace, currency, amount: toMonthParts(amount, startAt(period, today)) };
    }),
    unknown: [],
  });
  return {
    workspaces: workspaces.map(({ workspace, monthly }) => ({ ...CASE_PROJECT, workspace, ...monthly })),
    pulls: pulls.map(({ workspace, monthly }, at) => ({
      ...CASE_PROJECT,
      workspace,
      ...monthly,
      number: at + 2,
    })),
    unknown: [],
    periods: PERIOD_UNITS.map((unit) => buildPeriod({ unit, ...findPeriod(unit, today, "01-01") })),
  };
}

/** The facts of a stage that a case states. */
function buildStageFacts(stage: CaseStage): StageFacts {
  const { workspace, status = "succeeded", proven = true, unknown = {} } = stage;
  return {
    org: "org",
    project: "project",
    workspace,
    executionId: `execution-of-${workspace}`,
    stageExecutionId: `stage-of-${workspace}`,
    source: "file",
    proven,
    status,
    createdMs: null,
    cost: toFact(unknown.cost, () => buildStageCost(stage)),
    modules: toFact(unknown.modules ?? unknown.cost, () => buildModuleCosts(stage)),
    counts: toFact(unknown.changes, () => countChanges(stage)),
    rows: toFact(unknown.rows, () => ({ rows: buildRows(stage), omitted: 0, unread: 0 })),
    planNotes: {
      incomplete: null,
      invocations: { listed: (stage.invocations ?? []).map(buildInvocation), more: 0 },
      failedChecks: { listed: [], more: 0 },
    },
    superseded: [],
  };
}

const toFact = <T>(reason: UnknownReason | undefined, make: () => T): Fact<T> =>
  reason === undefined ? { state: "known", value: make() } : { state: "unknown", reason };

type CostPair = readonly [Decimal, Decimal];
const toDelta = ([before, after]: CostPair): CostDelta => ({
  before,
  after,
  change: minus(after, before),
  percent: computePercentChange(before, after),
});

/** An address with its cost before and after. */
type AddressCost = readonly [string, CostPair];
const listPriced = ({ resources = {} }: CaseStage): readonly AddressCost[] => Object.entries(resources);

const sumAddressCosts = (parts: readonly AddressCost[]): CostPair => [
  sum(parts.map(([, [before]]) => before)),
  sum(parts.map(([, [, after]]) => after)),
];

const computeTotal = (stage: CaseStage): CostPair => {
  const [before, after] = sumAddressCosts(listPriced(stage));
  return [stage.before ?? before, stage.after ?? after];
};

function buildStageCost(stage: CaseStage): StageCost {
  const byType = Map.groupBy(listPriced(stage), ([address]) => parseType(address));
  const { unpriced = {}, unknown, currency = "USD" } = stage;
  return {
    ...toDelta(computeTotal(stage)),
    currency,
    completeness: "complete",
    problems: [],
    groups: [...byType].map(([type, own]) => ({
      type,
      ...toDelta(sumAddressCosts(own)),
      resources: own.map(([address, cost]) => ({ address, components: [], ...toDelta(cost) })),
    })),
    unpriced:
      unknown?.unpriced === undefined
        ? { count: Object.values(unpriced).reduce((total, count) => total + count, 0), types: unpriced }
        : null,
    ...(unknown?.usage === undefined && { usage: buildUsage(stage) }),
    findings: {
      issues: stage.estimator?.issues ?? 0,
      policies: stage.estimator?.policies ?? 0,
      listed: [],
      more: 0,
    },
    listed: listPriced(stage).map(([address]) => ({
      ...{ address, type: parseType(address) },
      ...buildTags(stage, address),
    })),
    partsAreWhole: false,
  };
}

function buildUsage({ usage = {} }: CaseStage): UsageBasedResources {
  const resources = USAGE_ACTIONS.flatMap((change) =>
    (usage[change] ?? []).map((address) => ({ address, type: parseType(address), change })),
  );
  return { resources, unnamed: usage.unnamed ?? 0, unnamedUnchanged: 0 };
}

function buildModuleCosts(stage: CaseStage) {
  const { modules, currency = "USD" } = stage;
  const priced = listPriced(stage);
  const byModule = Map.groupBy(priced, ([address]) => deriveModulePath(address));
  const derived: readonly AddressCost[] =
    priced.length === 0
      ? [["root", computeTotal(stage)]]
      : [...byModule].map(([module, own]) => [module, sumAddressCosts(own)]);
  const moduleCosts = modules === undefined ? derived : Object.entries(modules);
  return moduleCosts.map(([module, cost]) => ({ module, currency, ...toDelta(cost) }));
}

const buildInvocation = (address: string): Invocation => ({
  address,
  type: parseType(address),
  module: deriveModulePath(address),
  resource: null,
  event: null,
});

/** The tags of a resource that a case states; without any it has none. */
function buildTags({ tags = {} }: CaseStage, address: string): { readonly tags?: StatedTags } {
  const own = Object.hasOwn(tags, address) ? tags[address] : undefined;
  if (own === "unknown") return {};
  if (own === "unsupported") return { tags: own };
  return {
    tags: {
      after: own === "later" ? { values: {}, complete: false } : { values: own ?? {}, complete: true },
    },
  };
}

const buildRows = ({ rows = {}, ...stage }: CaseStage): readonly ResourceChange[] =>
  ACTIONS.flatMap((change) =>
    (rows[change] ?? []).map((address) => ({
      address,
      type: parseType(address),
      module: deriveModulePath(address),
      change,
      ...buildTags(stage, address),
    })),
  );

/** A replacement counts once as added, once as deleted and once as replaced. */
function countChanges({ rows = {}, changes = {} }: CaseStage): ChangeCounts {
  const count = (...kinds: readonly (typeof ACTIONS)[number][]) =>
    kinds.reduce((total, kind) => total + (rows[kind]?.length ?? 0), 0);
  const replaced = changes.replaced ?? count("replaced");
  return {
    added: changes.added ?? count("added") + replaced,
    changed: changes.changed ?? count("changed"),
    deleted: changes.deleted ?? count("deleted") + replaced,
    replaced,
    imported: changes.imported ?? count("imported"),
    removed: changes.removed ?? count("removed"),
    unchanged: changes.unchanged ?? 0,
    drifted: changes.drifted ?? count("drifted"),
  };
}

/** The type in an address: `aws_instance` of `module.web["a.b"].aws_instance.this[0]`. */
function parseType(address: string): string {
  const steps = address.replaceAll(/\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]/g, "").split(".");
  return steps.at(-2) ?? address;
}
