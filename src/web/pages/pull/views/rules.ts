import { listApprovers } from "../../../../policy/approvals/requests.ts";
import { decideEffect } from "../../../../policy/evaluate/evaluate-policy.ts";
import type { Finding } from "../../../../policy/model/finding.ts";
import type { Limit } from "../../../../policy/model/policy.ts";
import { formatCount } from "../../../../render/format/count.ts";
import { createDistinctStyle } from "../../../../render/format/money.ts";
import { formatPercent } from "../../../../render/format/percent.ts";
import { formatUtcDay } from "../../../../render/format/time.ts";
import { findRuleAddress } from "../../../../render/sections/addresses.ts";
import { Markdown } from "../../../page/markdown.ts";
import { buildSortedTable, type PageTable } from "../../../page/sorted-table.ts";
import type { Column, TableCell } from "../../../page/table.ts";
import { createTextSubject, type PullSubject, type PullView } from "../subject/pull-subject.ts";
import { buildApprovalTable } from "./approval-table.ts";

/** Every rule with its outcome, and the approvals. */
export function buildRulesView(subject: PullSubject): PullView {
  const { situation } = subject.evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  const rules = buildRuleTable(
    subject,
    findings.filter(({ outcome }) => outcome !== "not_applicable"),
  );
  const approvals = buildApprovalTable(subject);
  const notApplicable = subject.texts.renderSection(subject.evaluation, "notApplicable", subject.links);
  const view = {
    rules: rules.view,
    approvals: approvals.view,
    hasVerdict: "verdict" in situation && situation.verdict !== null,
    notApplicable: notApplicable === "" ? null : new Markdown(notApplicable),
    figures: subject.evaluation.pull.figures,
  };
  return { template: "pull/rules", view, tables: [rules, approvals] };
}

function buildRuleTable(subject: PullSubject, findings: readonly Finding[]): PageTable {
  const columns: readonly Column<Finding>[] = [
    toOutcomeColumn(subject),
    toRuleColumn(subject),
    toValueColumn(subject, "measured"),
    toValueColumn(subject, "limit"),
    { key: "unit", label: "Unit", isExportOnly: true, cell: () => ({ text: "" }), value: findUnit },
    toEffectColumn(),
    toApprovalColumn(subject),
  ];
  const empty = "No rule was evaluated.";
  return buildSortedTable({ prefix: "", caption: "Rules", columns, rows: findings, empty }, subject.address);
}

const OUTCOMES = {
  passed: { text: "Passed", icon: "check", tone: "success" },
  block: { text: "Violated", icon: "x-circle-fill", tone: "danger" },
  warn: { text: "Warning", icon: "alert-fill", tone: "attention" },
  undecided: { text: "Not evaluated", icon: "question", tone: "attention" },
  approved: { text: "Approved", icon: "check-circle", tone: "success" },
  waived: { text: "Waived", icon: "check-circle", tone: "done" },
} as const satisfies Readonly<Record<string, TableCell>>;

function chooseOutcome(finding: Finding): keyof typeof OUTCOMES {
  if (finding.outcome === "undecided") return "undecided";
  if (finding.outcome !== "violated") return "passed";
  if (finding.waiver !== null) return "waived";
  if (finding.approved) return "approved";
  return decideEffect(finding) === "block" ? "block" : "warn";
}

const toOutcomeColumn = ({ texts }: PullSubject): Column<Finding> => ({
  key: "outcome",
  label: "Outcome",
  sortable: true,
  cell: (finding) => {
    const outcome = chooseOutcome(finding);
    const because = outcome === "undecided" ? texts.describeUndecided(finding) : null;
    return { ...OUTCOMES[outcome], ...(because !== null && { note: because }) };
  },
  value: chooseOutcome,
});

const toRuleColumn = (subject: PullSubject): Column<Finding> => ({
  key: "rule",
  label: "Rule",
  sortable: true,
  cell: (finding) => {
    const href = findRuleAddress(createTextSubject(subject), finding.rule);
    return {
      text: finding.rule,
      code: true,
      note: describeScope(finding),
      ...(href !== null && { href }),
    };
  },
  value: ({ rule }) => rule,
});

const PER: Readonly<Record<Finding["per"], string>> = {
  "pull-request": "whole pull request",
  stage: "stage",
  module: "module",
  "resource-type": "resource type",
};

/** What the rule limits, and where: "increase · stage production · 3 more like it". */
function describeScope({ limit, per, subject, others, message, alreadyAbove }: Finding): string {
  const where =
    subject === null ? (per === "pull-request" ? PER[per] : `per ${PER[per]}`) : `${PER[per]} ${subject}`;
  return [
    limit.kind,
    where,
    ...(others > 0 ? [`${formatCount(others)} more like it`] : []),
    ...(alreadyAbove === true ? ["already exceeded before this change"] : []),
    ...(message === null ? [] : [message]),
  ].join(" · ");
}

const toValueColumn = ({ evaluation }: PullSubject, side: "measured" | "limit"): Column<Finding> => ({
  key: side,
  label: side === "measured" ? "Measured" : "Limit",
  numeric: true,
  cell: (finding) => {
    const value = formatValues(finding, evaluation.pull.figures)[side];
    return value === null ? { text: "–", tone: "muted" } : { text: value };
  },
  value: (finding) => readExactValue(finding, side, evaluation.pull.figures),
});

/** The exact measured value, or the limit: decimal text for amounts and percentages, else a count; null: none, or not shown. */
function readExactValue(
  { measured, limit }: Finding,
  side: "measured" | "limit",
  figures: boolean,
): string | number | null {
  const value = side === "limit" ? limit : measured;
  if (value === null) return null;
  if ("count" in value) return value.count;
  if (!figures) return null;
  if ("percent" in value) return value.percent;
  if (!("amount" in value)) return null;
  return typeof value.amount === "string" ? value.amount : value.amount.amount;
}

/** The currency of an amount, `%`, or null for a count. */
function findUnit({ limit }: Finding): string | null {
  if ("percent" in limit) return "%";
  return "amount" in limit ? limit.amount.currency : null;
}

interface Values {
  readonly measured: string | null;
  readonly limit: string | null;
}

/** The measured value and the limit; counts are always shown, amounts and percentages where readers may see figures. */
function formatValues({ measured, limit }: Finding, figures: boolean): Values {
  const count = measured?.kind === "count" || measured?.kind === "condition" ? measured.count : null;
  if (!("amount" in limit || "percent" in limit))
    return {
      measured: count === null ? null : formatCount(count),
      limit: "count" in limit ? formatCount(limit.count) : null,
    };
  return figures ? formatFigures(measured, limit) : { measured: null, limit: null };
}

function formatFigures(
  measured: Finding["measured"],
  limit: Extract<Limit, { amount: unknown } | { percent: unknown }>,
): Values {
  if ("percent" in limit) {
    const found = measured?.kind === "percent" ? formatPercent(measured.percent) : null;
    return {
      measured: measured?.kind === "increase_from_zero" ? "new" : found,
      limit: formatPercent(limit.percent),
    };
  }
  const { amount, currency } = limit.amount;
  const found = measured?.kind === "money" && measured.currency === currency ? measured.amount : null;
  const style = createDistinctStyle(currency, found === null ? [amount] : [found, amount]);
  return { measured: found === null ? null : style.amount(found), limit: style.amount(amount) };
}

const toEffectColumn = (): Column<Finding> => ({
  key: "enforce",
  label: "If violated",
  sortable: true,
  cell: ({ enforce, mandatory }) => ({
    text: enforce === "block" ? "blocks" : "warns",
    ...(mandatory && { note: "the organisation's rule" }),
  }),
  value: ({ enforce }) => enforce,
});

const toApprovalColumn = ({ evaluation }: PullSubject): Column<Finding> => ({
  key: "approval",
  label: "Approval",
  cell: (finding) => ({ text: describeApproval(finding, evaluation) ?? "" }),
  value: (finding) => describeApproval(finding, evaluation),
});

/** Whose approval a violation has, or lacks; null: it needs none. */
function describeApproval(finding: Finding, evaluation: Evaluation): string | null {
  const { rule, outcome, waiver, approved, approve } = finding;
  if (outcome !== "violated") return null;
  if (waiver !== null)
    return `waived by ${waiver.owner} until ${formatUtcDay(waiver.untilMs - 1)}: ${waiver.reason}`;
  if (approved) return `approved by ${listLogins(evaluation, rule).join(", ")}`;
  if (decideEffect(finding) !== "block") return null;
  if (approve === null) return "nobody can approve it";
  const missing = evaluation.approvals.missing.find((one) => one.rule === rule)?.groups ?? [];
  const groups = missing.map(
    ({ group, lacks }) => `${formatCount(lacks)} from ${describeGroup(approve.groups[group], evaluation)}`,
  );
  return groups.length === 0 ? null : `needs ${groups.join(", and ")}`;
}

type Evaluation = PullSubject["evaluation"];

const listLogins = ({ approvals }: Evaluation, rule: string): readonly string[] =>
  approvals.live
    .filter(({ covered }) => covered.some((one) => one.rule === rule))
    .map(({ approver }) => approver.login);

function describeGroup(
  group: NonNullable<Finding["approve"]>["groups"][number] | undefined,
  { pull }: Evaluation,
): string {
  if (group === undefined) return "its approvers";
  const named = listApprovers(group, pull).map((approver) => `@${approver}`);
  const permission = group.permission === null ? [] : [`anybody with ${group.permission} permission`];
  return [...named, ...permission].join(" or ");
}
