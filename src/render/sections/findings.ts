import { absolute, type Decimal, type Money } from "../../kernel/money.ts";
import { decideEffect } from "../../policy/evaluate-policy.ts";
import type { Finding, MeasuredValue, PullMember, UndecidedReason } from "../../policy/model/finding.ts";
import type { Limit, MoneyLimit, RuleGranularity } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { countDaysUntilEnd } from "../../policy/waivers.ts";
import { formatLink, formatName, formatSentence, type Inline } from "../escape.ts";
import {
  createDistinctStyle,
  createMoneyStyle,
  formatCount,
  formatPercent,
  formatUtcDay,
  type MoneyStyle,
} from "../format.ts";
import { findKindAddress, findRuleAddress } from "./resources.ts";
import type { Section, Subject } from "./section.ts";

/** One finding that did not pass: the rule, the subject, the measured value and the limit. */
interface FindingView {
  readonly mark: "block" | "warn" | "undecided" | "covered";
  /** An undecided rule that only warns. */
  readonly isWarningOnly: boolean;
  readonly rule: Inline;
  /** For local files: the position of the rule. */
  readonly place: Inline | null;
  readonly mandatory: boolean;
  readonly kind: Limit["kind"];
  /** Address of the description of this kind of rule. */
  readonly help: Inline | null;
  readonly per: RuleGranularity;
  readonly subject: Inline | null;
  /** Null: not measured, or not shown in this repository. */
  readonly measured: Inline | null;
  readonly isOne: boolean;
  readonly limit: Inline | null;
  readonly fromZero: boolean;
  /** True: the value was above the limit before, and is not raised. */
  readonly alreadyAbove: boolean;
  readonly because: readonly BecauseView[];
  /** The unit of a unit cost, e.g. orders. */
  readonly metric: Inline | null;
  /** The rule's message for a violation. */
  readonly message: Inline | null;
  /** The items of the finding, where they are known: a few are shown at once, further ones are collapsed. */
  readonly shownItems: readonly { readonly item: Inline }[];
  readonly foldedItems: readonly { readonly item: Inline }[];
  readonly items: number;
  readonly moreItems: number;
  /** `until`: the last day on which the waiver is in force. */
  readonly waiver: WaiverView | null;
  readonly approved: boolean;
}

interface WaiverView {
  readonly owner: Inline;
  readonly reason: Inline;
  readonly until: Inline;
  /** Days until the end of the waiver, when it is near; else null. */
  readonly days: number | null;
  readonly oneDay: boolean;
}

const MAX_FINDINGS = 10;
/** Largest number of items beside a finding; further ones are collapsed. */
const MAX_OPEN_ITEMS = 3;
const MAX_ITEMS = 20;

/**
 * The section with every finding that blocks, warns, is covered or is undecided, worst first; passed findings
 * are only counted.
 */
export const buildFindingsSection = (subject: Subject): Section =>
  createFindingsSection(subject, listFindings(subject.evaluation.situation).filter(isShown));

/** Whether a finding is shown; passed and not applicable rules are only counted. */
const isShown = ({ outcome }: Finding): boolean => outcome === "violated" || outcome === "undecided";

/** The section with the blocking findings, where the policy omits all findings from the comment. */
export const buildBlockingFindingsSection = (subject: Subject): Section =>
  createFindingsSection(
    subject,
    listFindings(subject.evaluation.situation).filter((finding) =>
      BLOCKING_EFFECTS.has(decideEffect(finding)),
    ),
  );

const BLOCKING_EFFECTS: ReadonlySet<string> = new Set(["block", "undecided"]);

function createFindingsSection(subject: Subject, shownFindings: readonly Finding[]): Section {
  const { pull, context } = subject.evaluation;
  const reading = { figures: pull.figures, nowMs: context.nowMs, subject };
  return {
    template: "findings",
    rows: Math.min(MAX_FINDINGS, shownFindings.length),
    isRequired: false,
    view: (rows) => (shownFindings.length === 0 ? null : buildFindingsView(shownFindings, rows, reading)),
  };
}

export const listFindings = (situation: Situation): readonly Finding[] =>
  "verdict" in situation ? (situation.verdict?.findings ?? []) : [];

function buildFindingsView(
  shownFindings: readonly Finding[],
  rows: number,
  reading: FindingViewOptions,
): object {
  const findings = shownFindings.slice(0, rows).map((finding) => buildFindingView(finding, reading));
  const unnamed = shownFindings.reduce((count, { others }) => count + others, 0);
  return { findings, more: shownFindings.length - findings.length + unnamed };
}

/** Whether figures may be shown, and the current time. */
interface FindingViewOptions {
  readonly figures: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly subject: Subject;
}

function buildFindingView(finding: Finding, reading: FindingViewOptions): FindingView {
  const { rule, outcome, enforce, onUnknown, mandatory, limit, per, subject, measured, because } = finding;
  const { figures, nowMs, subject: about } = reading;
  const isCount = "count" in limit || limit.kind === "when";
  const [found, allowed] = figures || isCount ? formatMeasuredAndLimit(measured, limit) : [null, null];
  return {
    mark: chooseMark(finding),
    isWarningOnly: outcome === "undecided" && (enforce === "warn" || onUnknown === "warn"),
    rule: formatLink(formatName(rule), findRuleAddress(about, rule)),
    place: findRulePlace(about, rule),
    mandatory,
    kind: limit.kind,
    help: findKindAddress(about, limit.kind),
    per,
    subject: subject === null ? null : formatName(subject),
    measured: found,
    isOne: measured?.kind === "count" && measured.count === 1,
    limit: allowed,
    fromZero: measured?.kind === "increase_from_zero",
    alreadyAbove: finding.alreadyAbove === true,
    because: because.map(buildBecauseView),
    metric: "metric" in limit ? formatName(limit.metric) : null,
    message: finding.message === null ? null : formatSentence(finding.message),
    ...buildItemsView(finding.items),
    waiver: buildWaiverView(finding, nowMs),
    approved: finding.approved,
  };
}

/** The position of a rule as text for a file without a page: `tollgate.yml:12`. */
function findRulePlace({ evaluation: { pull, rulePlaces = [] } }: Subject, rule: string): Inline | null {
  const place = pull.local === true ? rulePlaces.find((one) => one.rule === rule) : undefined;
  return place === undefined ? null : formatName(`${place.file}:${place.line}`);
}

function chooseMark({ outcome, enforce, waiver, approved }: Finding): FindingView["mark"] {
  if (outcome === "undecided") return "undecided";
  return waiver !== null || approved ? "covered" : enforce;
}

function buildItemsView(
  items: readonly string[],
): Pick<FindingView, "shownItems" | "foldedItems" | "items" | "moreItems"> {
  const named = items.slice(0, MAX_ITEMS).map((item) => ({ item: formatName(item) }));
  const isFew = items.length <= MAX_OPEN_ITEMS;
  return {
    shownItems: isFew ? named : [],
    foldedItems: isFew ? [] : named,
    items: items.length,
    moreItems: items.length - named.length,
  };
}

function buildWaiverView({ waiver }: Finding, nowMs: number): WaiverView | null {
  if (waiver === null) return null;
  const { owner, reason, untilMs } = waiver;
  const days = countDaysUntilEnd(untilMs, nowMs);
  const texts = {
    owner: formatName(owner),
    reason: formatSentence(reason),
    until: formatUtcDay(untilMs - 1),
  };
  return { ...texts, days, oneDay: days === 1 };
}

/** The measured value and the limit, with enough digits to distinguish them. */
function formatMeasuredAndLimit(
  measured: MeasuredValue | null,
  limit: Limit,
): readonly [Inline | null, Inline | null] {
  if ("amount" in limit) return formatMoneyPair(measured, limit.kind, limit.amount);
  if ("percent" in limit) {
    return [
      measured?.kind === "percent" ? formatPercent(measured.percent) : null,
      formatPercent(limit.percent),
    ];
  }
  const count = measured?.kind === "count" || measured?.kind === "condition" ? measured.count : null;
  return [
    count === null ? null : formatCount(count),
    limit.kind === "when" ? null : formatCount(limit.count),
  ];
}

function formatMoneyPair(
  measured: MeasuredValue | null,
  kind: MoneyLimit,
  limit: Money,
): readonly [Inline | null, Inline] {
  const { amount, currency } = limit;
  if (measured?.kind !== "money") return [null, chooseMoneyFormat(createMoneyStyle(currency), kind)(amount)];
  const write = chooseMoneyFormat(createDistinctStyle(currency, [measured.amount, amount]), kind);
  return [write(measured.amount), write(amount)];
}

/** Formats a decrease as an amount ("drops by $5.00") and an increase with its sign. */
function chooseMoneyFormat(style: MoneyStyle, kind: MoneyLimit): (value: Decimal) => Inline {
  if (kind === "increase") return style.change;
  return kind === "decrease" ? (value) => style.amount(absolute(value)) : style.amount;
}

/** Why a rule is undecided, as templates word it. */
type BecauseView =
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "partial" | "inconsistent" }
  | { readonly kind: "scope_unknown"; readonly members: readonly PullMember[] }
  | {
      readonly kind: "usage";
      readonly count: number;
      readonly names: readonly Inline[];
      readonly more: number;
    }
  | { readonly kind: "condition_failed"; readonly problem: Inline }
  | { readonly kind: "other_currency"; readonly found: Inline; readonly expected: Inline };

/** Largest number of named resources; further ones are counted. */
const MAX_NAMES = 3;

function buildUsageReasonView({
  kind,
  count,
  names,
}: Extract<UndecidedReason, { kind: "usage" }>): BecauseView {
  const visibleNames = names.slice(0, MAX_NAMES);
  return { kind, count, names: visibleNames.map(formatName), more: count - visibleNames.length };
}

function buildBecauseView(because: UndecidedReason): BecauseView {
  if (because.kind === "condition_failed")
    return { kind: because.kind, problem: formatName(because.problem) };
  if (because.kind === "usage") return buildUsageReasonView(because);
  if (because.kind !== "other_currency") return because;
  return { kind: "other_currency", found: formatName(because.found), expected: formatName(because.expected) };
}
