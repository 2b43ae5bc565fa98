import { z } from "zod";
import { compare, type Decimal, HUNDRED, parseDecimal, roundTo, scale, sum, ZERO } from "../kernel/money.ts";
import { count, decimal as decimalShape, type ValueOf } from "../kernel/schemas.ts";
import { UNREAD_ATTRIBUTES } from "../report/model/resource-attributes.ts";
import { amount, count as fileCount, percentage } from "./file/fields.ts";
import type { Evaluation } from "./model/evaluation.ts";
import { decideEffect } from "./model/finding.ts";
import { Limit, type Rule } from "./model/policy.ts";
import { buildFindings, rankValue } from "./rules/findings.ts";
import type { MeasureInput, Measurement, RuleKind } from "./rules/measurement.ts";
import { RULE_KINDS } from "./rules/rule-kinds.ts";
import { createStageNames } from "./scope/scope.ts";
import { ConditionRun } from "./when/condition-run.ts";

/** What a limit on whole pull requests would have held of the past ones. */
const LimitChoice = z.object({
  limit: Limit,
  /** Pull requests that it would have held, those included of which the value is unknown. */
  held: count,
  unknown: count,
  /** The part of the known rise of all that those have that it would have held, in percent; null: there is no rise. */
  share: decimalShape.nullable(),
});
export type LimitChoice = ValueOf<typeof LimitChoice>;

export const LimitSuggestions = z.object({
  /** Evaluated pull requests with stages. */
  pulls: count,
  /** Pull requests that are left out, because readers may not see their figures. */
  hidden: count,
  /** Pull requests that are left out, because their evaluations are very large or cannot be read. */
  unread: count,
  /** True: the period has more pull requests than are read. */
  isCutOff: z.boolean(),
  /** By kind of limit, the highest limit first. */
  choices: z.array(LimitChoice),
});
export type LimitSuggestions = ValueOf<typeof LimitSuggestions>;

/** Fewer pull requests than this say nothing about a limit. */
export const ENOUGH_PULLS = 20;

/** Kinds of limits whose value every evaluation states, in the order in which they are suggested. */
const KINDS = [
  ...(["increase", "percent", "total", "decrease", "deletions", "replacements", "changes"] as const),
  ...(["drift", "invocations", "unpriced", "usage"] as const),
] satisfies readonly Limit["kind"][];
type SuggestedKind = (typeof KINDS)[number];

/** What one pull request says about limits. */
export interface MeasuredPull {
  readonly totals: Evaluation["report"]["totals"];
  readonly measurements: Readonly<Record<SuggestedKind, readonly Measurement[]>>;
}

/** Measures a pull request as rules without a scope do. */
export function measurePull({ report, context }: Pick<Evaluation, "report" | "context">): MeasuredPull {
  const shared = { context, per: "pull-request", scope: null, tags: null } as const;
  const names = createStageNames(report, []);
  const measurements = Object.fromEntries(
    KINDS.map((kind) => {
      const run = { attributes: UNREAD_ATTRIBUTES, conditions: new ConditionRun() };
      const input = { ...shared, ...run, names, limit: { kind } };
      // The table has a measure of exactly this kind; the compiler cannot infer it from a lookup.
      const own = (RULE_KINDS[kind] as RuleKind).measure(report, input as MeasureInput);
      // What else measurements have would keep all reports in memory.
      return [kind, own.map(({ items: _, tagProblems: __, drivers: ___, ...rest }) => rest)];
    }),
  ) as unknown as MeasuredPull["measurements"]; // one list for each kind
  return { totals: report.totals, measurements };
}

/** The limit of a policy file; null: a file cannot state it. */
function buildLimit(kind: SuggestedKind, bound: Decimal, currency: string): Limit | null {
  switch (RULE_KINDS[kind].unit) {
    case "money": {
      const stated = amount.safeParse(`${bound} ${currency}`);
      return stated.success ? ({ kind, amount: stated.data } as Limit) : null; // the kinds with this unit state an amount
    }
    case "percent":
      return percentage.safeParse(`${bound}%`).success ? { kind: "percent", percent: bound } : null;
    default:
      return fileCount.safeParse(Number(bound)).success ? ({ kind, count: Number(bound) } as Limit) : null; // the others state a count
  }
}

/** Suggests limits that would have held about 1, 5 and 10 % of these pull requests. Amounts are in the currency that most of them have. */
export function suggestLimits(pulls: readonly MeasuredPull[]): readonly LimitChoice[] {
  const currency = findMainCurrency(pulls);
  return KINDS.flatMap((kind) => {
    const ranks = listRanks(pulls, kind, currency);
    if (ranks.length < ENOUGH_PULLS) return [];
    const isWhole = RULE_KINDS[kind].unit === "count";
    const bounds = new Set(SHARES.flatMap((share) => findBound(ranks, share, isWhole) ?? []));
    return [...bounds].flatMap((bound) => {
      const limit = buildLimit(kind, bound, currency);
      return limit === null ? [] : [tryLimit(limit, pulls, currency)];
    });
  });
}

/** Parts of the pull requests that limits would have held, in percent. */
const SHARES = [1, 5, 10];

function findMainCurrency(pulls: readonly MeasuredPull[]): string {
  const all = pulls.flatMap(({ totals }) => totals.map(({ currency }) => currency));
  const groups = [...Map.groupBy(all, (currency) => currency).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? "";
}

/** The known values of the pull requests, the largest first; a value that would only warn is below all limits. */
const listRanks = (
  pulls: readonly MeasuredPull[],
  kind: SuggestedKind,
  currency: string,
): readonly number[] =>
  pulls
    .flatMap(({ measurements }) => {
      const own = measurements[kind];
      const isOther = ({ value }: Measurement) => value?.kind === "money" && value.currency !== currency;
      if (own.some((one) => one.value === null || isOther(one))) return [];
      return Math.max(...own.map((one) => rankValue(one.isRaised === false ? null : one.value)));
    })
    .sort((a, b) => (a === b ? 0 : b - a)); // infinities have no difference

/** A round limit below about this part of the values; null: each would be below more than a quarter of them, or none is above zero. */
function findBound(ranks: readonly number[], share: number, isWhole: boolean): Decimal | null {
  const wanted = Math.max(1, Math.round((ranks.length * share) / 100));
  const rare = ranks.slice(0, ranks.length / 4);
  const numbers = rare.flatMap((rank, at) => (rank > 0 && (ranks[at + 1] ?? 0) < rank ? [at + 1] : []));
  const [held] = numbers.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  if (held === undefined) return null;
  return findRoundNumber(Math.max(0, ranks[held] ?? 0), ranks[held - 1] ?? 0, isWhole);
}

/** `from`, rounded up to two digits or to as many as stay below `to`: 430 of 427.13 and 440; null: that is too many. */
function findRoundNumber(from: number, to: number, isWhole: boolean): Decimal | null {
  if (from === 0) return ZERO;
  for (let digits = 2; digits < 16; digits += 1) {
    const power = Math.floor(Math.log10(from)) + 1 - digits;
    const step = isWhole && power < 0 ? 1 : 10 ** power;
    const found = parseDecimal((Math.ceil(from / step) * step).toFixed(isWhole ? 0 : Math.max(0, -power)));
    if (found !== null && Number(found) >= from && Number(found) < to) return found;
  }
  return null;
}

/** What a limit would have held, as rules decide it. */
function tryLimit(limit: Limit, pulls: readonly MeasuredPull[], currency: string): LimitChoice {
  const rule: Rule = {
    ...{ id: limit.kind, limit, per: "pull-request", scope: null, enforce: "block", enforceIn: [] },
    ...{ mandatory: false, approve: null, message: null, onUnknown: "block" },
  };
  const tried = pulls.map(({ measurements, totals }) => {
    const effects = buildFindings(rule, measurements[limit.kind as SuggestedKind]).map(decideEffect);
    const change = totals.find((one) => one.currency === currency)?.change ?? ZERO;
    return { effects, rise: compare(change, ZERO) > 0 ? change : ZERO };
  });
  const held = tried.filter(({ effects }) => effects.includes("block") || effects.includes("undecided"));
  const all = sum(tried.map(({ rise }) => rise));
  return {
    limit,
    held: held.length,
    unknown: held.filter(({ effects }) => effects.includes("undecided")).length,
    share: all === ZERO ? null : roundTo(scale(sum(held.map(({ rise }) => rise)), HUNDRED, all), 0),
  };
}

/** Returns a limit as a policy file states it. */
export function formatLimit(limit: Limit): string {
  if (limit.kind === "when") return `when: ${JSON.stringify(limit.expression)}`;
  if ("amount" in limit) return `limit: { ${limit.kind}: ${limit.amount.amount} ${limit.amount.currency} }`;
  if (limit.kind === "unit-cost")
    return `limit: { unit-cost: { metric: ${JSON.stringify(limit.metric)}, percent: ${limit.percent}% } }`;
  return `limit: { ${limit.kind}: ${"percent" in limit ? `${limit.percent}%` : limit.count} }`;
}
