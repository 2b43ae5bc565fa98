import { absolute, type Decimal, type Money } from "../../kernel/money.ts";
import {
  decideEffect,
  type Finding,
  holdsCheck,
  type MeasuredValue,
  type TagProblem,
  type UndecidedReason,
  WITHOUT_TAG,
} from "../../policy/model/finding.ts";
import type { Limit, MoneyLimit } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { countDaysUntilEnd } from "../../policy/waiver-end.ts";
import type { CodePlace } from "../../report/model/facts.ts";
import {
  createPlaceFinder,
  findDocsAddress,
  findKindAddress,
  findPlaceAddress,
  findRuleAddress,
} from "../addresses.ts";
import { formatLink, formatName, formatSentence, type Inline } from "../escape.ts";
import {
  createDistinctStyle,
  createMoneyStyle,
  formatCount,
  formatPercent,
  formatUtcDay,
  type MoneyStyle,
} from "../format.ts";
import type { Section, SectionSource } from "./section.ts";

const MAX_FINDINGS = 10;
/** Largest number of items beside a finding; further ones are collapsed. */
const MAX_OPEN_ITEMS = 3;
/** The same, where each item has a line. */
const MAX_LISTED_ITEMS = 6;
const MAX_ITEMS = 20;

/**
 * The section with every finding that blocks, warns, is covered or is undecided, worst first; passed and not applicable ones are only
 * counted.
 */
export const buildFindingsSection = (source: SectionSource): Section =>
  createFindingsSection(
    source,
    ({ outcome, objections }) =>
      outcome === "violated" || outcome === "undecided" || objections !== undefined,
  );

/** The section with the blocking findings, where the policy omits all findings from the comment. */
export const buildBlockingFindingsSection = (source: SectionSource): Section =>
  createFindingsSection(source, holdsCheck);

function createFindingsSection(source: SectionSource, isShown: (finding: Finding) => boolean): Section {
  const all = listFindings(source.evaluation.situation).filter(isShown);
  const unnamed = all.reduce((count, { others }) => count + others, 0);
  const findPlace = createPlaceFinder(source.evaluation.report);
  return {
    template: "findings",
    rows: Math.min(MAX_FINDINGS, all.length),
    view: (rows) => {
      if (all.length === 0) return null;
      const findings = all.slice(0, rows).map((finding) => buildFindingView(finding, source, findPlace));
      return { findings, more: all.length - findings.length + unnamed };
    },
  };
}

export const listFindings = (situation: Situation): readonly Finding[] =>
  "verdict" in situation ? (situation.verdict?.findings ?? []) : [];

/** One finding that did not pass: the rule, the subject, the measured value and the limit, both null where figures are not shown. */
export function buildFindingView(
  finding: Finding,
  { evaluation, links }: SectionSource,
  findPlace: (item: string) => CodePlace | null,
) {
  const { rule, outcome, enforce, onUnknown, mandatory, limit, per, perTag, subject, measured, because } =
    finding;
  const { periods } = evaluation.context.budgetUse ?? {};
  const period = periods?.find(({ unit }) => "period" in limit && unit === limit.period);
  const isCount = "count" in limit || limit.kind === "when";
  const [found, allowed] =
    evaluation.pull.figures || isCount ? formatMeasuredAndLimit(measured, limit) : [null, null];
  return {
    mark: chooseMark(finding),
    isWarningOnly: outcome === "undecided" && (enforce === "warn" || onUnknown === "warn"),
    rule: formatLink(formatName(rule), findRuleAddress(evaluation, links, rule)),
    place: findRulePlace(evaluation, rule),
    mandatory,
    kind: limit.kind,
    period: period ? { unit: period.unit, until: formatUtcDay(Date.parse(period.to)) } : null,
    objections: buildObjectionsView(finding),
    isMet: outcome === "passed",
    why: findDocsAddress(evaluation, rule),
    enforceFrom: finding.enforceFromMs === undefined ? null : formatUtcDay(finding.enforceFromMs),
    help: findKindAddress(links.policyPage, limit.kind),
    per,
    tag: perTag === undefined ? null : formatName(perTag),
    untagged: perTag !== undefined && subject === WITHOUT_TAG,
    subject: subject === null ? null : formatName(subject),
    measured: found,
    isOne: measured?.kind === "count" && measured.count === 1,
    limit: allowed,
    fromZero: measured?.kind === "increase_from_zero",
    alreadyAbove: finding.alreadyAbove === true,
    because: because.map((reason) => buildBecauseView(reason, formatName)),
    metric: "metric" in limit ? formatName(limit.metric) : null,
    message: finding.message === null ? null : formatSentence(finding.message),
    ...buildItemsView(finding, (item) =>
      formatLink(formatName(item), findPlaceAddress(evaluation, links, findPlace(item))),
    ),
    waiver: buildWaiverView(finding, evaluation.context.nowMs),
    approved: finding.approved,
    codeOwners: decideEffect(finding) === "block" ? buildCodeOwnersView(finding) : null,
  };
}

/** Why code owners cannot approve, as templates word it; null: they can, or are not asked. */
function buildCodeOwnersView({ codeOwners: problem }: Finding): object | null {
  if (problem === undefined) return null;
  const more = "more" in problem ? problem.more : 0;
  const owners = problem.kind === "no_account" ? problem.owners.slice(0, MAX_NAMES).map(formatName) : [];
  const names = Object.entries(problem).filter(([, value]) => typeof value === "string");
  const formatted = Object.fromEntries(names.map(([key, name]) => [key, formatName(String(name))]));
  const unreadable = "reason" in problem ? problem.reason : null;
  return { ...problem, ...formatted, problem: problem.kind, unreadable, owners, moreFiles: more + 1 };
}

/** Who objects; `by` null: perhaps somebody. */
const buildObjectionsView = ({ objections = [] }: Finding) =>
  objections.map(({ by, unclear = false }) => ({ by: by && formatName(`@${by.login}`), unclear }));

/** The position of a rule as text for a file without a page: `tollgate.yml:12`. */
function findRulePlace({ pull, rulePlaces = [] }: SectionSource["evaluation"], rule: string): Inline | null {
  const place = pull.local === true ? rulePlaces.find((one) => one.rule === rule) : undefined;
  return place === undefined ? null : formatName(`${place.file}:${place.line}`);
}

function chooseMark({ outcome, enforce, waiver, approved, objections }: Finding) {
  if (outcome === "undecided") return "undecided";
  if (objections !== undefined) return "block";
  return waiver !== null || approved ? "covered" : enforce;
}

/**
 * The items of the finding, where they are known: a few are shown at once, further ones are collapsed. Those with tags that are wrong
 * have a line each; an undecided finding names only these.
 */
function buildItemsView({ items: all, tagProblems = [] }: Finding, format: (item: string) => Inline) {
  const problems = Map.groupBy(tagProblems, ({ item }) => item);
  const items = all.length === 0 ? [...problems.keys()] : all;
  const named = items.slice(0, MAX_ITEMS).map((item) => ({
    item: format(item),
    problems: (problems.get(item) ?? []).map((problem) => buildTagProblemView(problem)),
  }));
  const isFew = items.length <= (problems.size > 0 ? MAX_LISTED_ITEMS : MAX_OPEN_ITEMS);
  return {
    shownItems: isFew && problems.size === 0 ? named : [],
    listedItems: isFew && problems.size > 0 ? named : [],
    foldedItems: isFew ? [] : named,
    items: items.length,
    moreItems: items.length - named.length,
  };
}

/** The first resources with wrong tags, for a page, which formats names later. */
export function buildTagLinesView({ items, tagProblems = [] }: Finding) {
  const byItem = [...Map.groupBy(tagProblems, ({ item }) => item)];
  const lines = byItem.slice(0, MAX_OPEN_ITEMS).map(([item, own]) => {
    return { item, problems: own.map((problem) => buildTagProblemView(problem, String)) };
  });
  return { lines, more: Math.max(items.length, byItem.length) - lines.length };
}

export const buildTagProblemView = (problem: TagProblem, format: (name: string) => string = formatName) => ({
  key: format(problem.key),
  isMissing: problem.found === null,
  found: problem.found === null || problem.found === "" ? null : format(problem.found),
  nearest: problem.nearest === null ? null : format(problem.nearest),
  otherKey: problem.otherKey === null ? null : format(problem.otherKey),
  expected: (problem.pattern === null ? problem.values : [problem.pattern]).map(format),
  more: problem.moreValues,
});

/** `until`: the last day on which the waiver is in force; `days` until its end, when it is near. */
function buildWaiverView({ waiver }: Finding, nowMs: number) {
  if (waiver === null) return null;
  const { owner, reason, untilMs } = waiver;
  const days = countDaysUntilEnd(untilMs, nowMs);
  return {
    owner: formatName(owner),
    reason: formatSentence(reason),
    until: formatUtcDay(untilMs - 1),
    days,
    oneDay: days === 1,
  };
}

type ValueTexts = readonly [measured: Inline | null, limit: Inline | null];

/** The measured value and the limit, with enough digits to distinguish them. */
export function formatMeasuredAndLimit(measured: MeasuredValue | null, limit: Limit): ValueTexts {
  if ("amount" in limit) return formatMoneyPair(measured, limit.kind, limit.amount);
  if ("percent" in limit)
    return [
      measured?.kind === "percent" ? formatPercent(measured.percent) : null,
      formatPercent(limit.percent),
    ];
  const count = measured?.kind === "count" || measured?.kind === "condition" ? measured.count : null;
  return [
    count === null ? null : formatCount(count),
    limit.kind === "when" ? null : formatCount(limit.count),
  ];
}

function formatMoneyPair(
  measured: MeasuredValue | null,
  kind: MoneyLimit,
  { amount, currency }: Money,
): ValueTexts {
  if (measured?.kind !== "money") return [null, chooseMoneyFormat(createMoneyStyle(currency), kind)(amount)];
  const write = chooseMoneyFormat(createDistinctStyle(currency, [measured.amount, amount]), kind);
  return [write(measured.amount), write(amount)];
}

/** Formats a decrease as an amount ("drops by $5.00") and an increase with its sign. */
function chooseMoneyFormat(style: MoneyStyle, kind: MoneyLimit): (value: Decimal) => Inline {
  if (kind === "increase") return style.change;
  return kind === "decrease" ? (value) => style.amount(absolute(value)) : style.amount;
}

/** Largest number of named resources; further ones are counted. */
const MAX_NAMES = 3;

/** Why a rule is undecided, as templates word it. `format`: comments escape names from outside; pages do it later. */
export function buildBecauseView(because: UndecidedReason, format: (name: string) => string): object {
  switch (because.kind) {
    case "condition_failed":
      return { kind: because.kind, problem: format(because.problem) };
    case "usage":
    case "resources": {
      const names = because.names.slice(0, MAX_NAMES).map(format);
      return { ...because, names, more: because.count - names.length };
    }
    case "workspace_tags": {
      const names = because.names.slice(0, MAX_NAMES).map(format);
      const count = because.names.length;
      return { kind: because.kind, key: format(because.key), names, count, more: count - names.length };
    }
    case "other_currency":
      return { kind: because.kind, found: format(because.found), expected: format(because.expected) };
    default:
      return because;
  }
}
