import { isOfGroups } from "../../../policy/approvals/lapse.ts";
import { listApprovers } from "../../../policy/approvals/requests.ts";
import type { Approval, Lapse } from "../../../policy/model/approval.ts";
import { decideEffect, type Finding, listOwnGroups } from "../../../policy/model/finding.ts";
import type { Limit } from "../../../policy/model/policy.ts";
import { findDocsAddress, findRuleAddress } from "../../../render/addresses.ts";
import {
  createDistinctStyle,
  formatCount,
  formatMoney,
  formatPercent,
  formatUtcDay,
  formatUtcTime,
  SHA_DIGITS,
} from "../../../render/format.ts";
import { buildFileColumn, buildTextColumn, NO_VALUE } from "../../page/columns.ts";
import { html, icon, renderBox } from "../../page/html.ts";
import { renderMarkdown } from "../../page/markdown.ts";
import { type Column, createTable, type Table, type TableCell } from "../../page/table.ts";
import { NO_AMOUNTS, type PullSubject, type PullView } from "./pull-subject.ts";

export async function renderRules(subject: PullSubject): Promise<PullView> {
  const { situation } = subject.evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  const rules = createRuleTable(
    subject,
    findings.filter(({ outcome }) => outcome !== "not_applicable"),
  );
  const approvals = createApprovalTable(subject);
  const notApplicable = subject.texts.renderSection(subject.evaluation, "notApplicable", subject.links);
  const hasVerdict = "verdict" in situation && situation.verdict !== null;
  const body = html`${renderBox("law", "Rules", [
    hasVerdict ? await rules.render(subject.address) : html`<p class="blank">No rule was evaluated.</p>`,
    !subject.evaluation.pull.figures && html`<p class="below">${icon("lock")} ${NO_AMOUNTS}</p>`,
  ])}
${renderBox("people", "Approvals", await approvals.render(subject.address))}
${
  notApplicable !== "" &&
  renderBox(
    "skip",
    "Rules for other pull requests",
    html`<div class="box-body markdown">${renderMarkdown(notApplicable)}</div>`,
  )
}`;
  return { body, tables: [rules, approvals] };
}

function createRuleTable(subject: PullSubject, findings: readonly Finding[]): Table {
  const { evaluation, links, texts } = subject;
  const value = (side: "measured" | "limit", label: string): Column<Finding> => ({
    ...{ key: side, label, numeric: true },
    cell: (finding) => {
      const text = formatValues(finding, evaluation.pull.figures)[side];
      return text === null ? NO_VALUE : { text };
    },
    value: (finding) => readExactValue(finding, side, evaluation.pull.figures),
  });
  return createTable<Finding>({
    ...{ name: "", caption: "Rules", empty: "No rule was evaluated.", rows: findings },
    columns: [
      {
        ...{ key: "outcome", label: "Outcome", sortable: true },
        cell: (finding) => {
          const outcome = chooseOutcome(finding);
          const note =
            outcome === "undecided" ? texts.describeUndecided(finding) : texts.describeTags(finding);
          return { ...OUTCOMES[outcome], ...(note !== "" && { note }) };
        },
        value: chooseOutcome,
      },
      {
        ...{ key: "rule", label: "Rule", sortable: true },
        cell: (finding) => {
          const href =
            findDocsAddress(evaluation, finding.rule) ?? findRuleAddress(evaluation, links, finding.rule);
          return {
            text: finding.rule,
            code: true,
            note: describeScope(finding),
            ...(href !== null && { href }),
          };
        },
        value: ({ rule }) => rule,
      },
      value("measured", "Measured"),
      value("limit", "Limit"),
      buildFileColumn("unit", findUnit),
      {
        ...{ key: "enforce", label: "If violated", sortable: true },
        cell: ({ enforce, enforceFromMs, mandatory }) => {
          const note = [
            ...(enforceFromMs === undefined ? [] : [`blocks from ${formatUtcDay(enforceFromMs)} on`]),
            ...(mandatory ? ["the organisation's rule"] : []),
          ].join(" · ");
          return { text: enforce === "block" ? "blocks" : "warns", ...(note !== "" && { note }) };
        },
        value: ({ enforce }) => enforce,
      },
      {
        ...{ key: "approval", label: "Approval" },
        cell: (finding) => ({ text: describeApproval(finding, evaluation) ?? "" }),
        value: (finding) => describeApproval(finding, evaluation),
      },
    ],
  });
}

const OUTCOMES = {
  passed: { text: "Passed", icon: "check", tone: "success" },
  block: { text: "Violated", icon: "x-circle-fill", tone: "danger" },
  warn: { text: "Warning", icon: "alert-fill", tone: "attention" },
  objected: { text: "Changes requested", icon: "x-circle-fill", tone: "danger" },
  undecided: { text: "Not evaluated", icon: "question", tone: "attention" },
  approved: { text: "Approved", icon: "check-circle", tone: "success" },
  waived: { text: "Waived", icon: "check-circle", tone: "done" },
} as const satisfies Readonly<Record<string, TableCell>>;

function chooseOutcome(finding: Finding): keyof typeof OUTCOMES {
  if (finding.objections !== undefined) return "objected";
  if (finding.outcome === "undecided") return "undecided";
  if (finding.outcome !== "violated") return "passed";
  if (finding.waiver !== null) return "waived";
  if (finding.approved) return "approved";
  return decideEffect(finding) === "block" ? "block" : "warn";
}

const PER: Readonly<Record<Finding["per"], string>> = {
  "pull-request": "whole pull request",
  stage: "stage",
  module: "module",
  "resource-type": "resource type",
  tag: "tag",
};

/** What the rule limits, and where: "increase · stage production · 3 more like it". */
function describeScope({ limit, per, perTag, subject, others, message, alreadyAbove }: Finding): string {
  const part = perTag === undefined ? PER[per] : `${PER[per]} ${perTag}`;
  const named = `${part}${perTag === undefined ? "" : ":"} ${subject}`;
  const where = subject === null ? (per === "pull-request" ? part : `per ${part}`) : named;
  return [
    limit.kind,
    where,
    ...(others > 0 ? [`${formatCount(others)} more like it`] : []),
    ...(alreadyAbove === true ? ["already exceeded before this change"] : []),
    ...(message === null ? [] : [message]),
  ].join(" · ");
}

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

type ValueTexts = Readonly<Record<"measured" | "limit", string | null>>;

/** The measured value and the limit; counts are always shown, amounts and percentages where readers may see figures. */
function formatValues({ measured, limit }: Finding, figures: boolean): ValueTexts {
  if ("amount" in limit || "percent" in limit)
    return figures ? formatFigures(measured, limit) : { measured: null, limit: null };
  const count = measured?.kind === "count" || measured?.kind === "condition" ? measured.count : null;
  return {
    measured: count === null ? null : formatCount(count),
    limit: "count" in limit ? formatCount(limit.count) : null,
  };
}

function formatFigures(
  measured: Finding["measured"],
  limit: Extract<Limit, { amount: unknown } | { percent: unknown }>,
): ValueTexts {
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

/** Whose approval a violation has, or lacks; null: it needs none. */
function describeApproval(finding: Finding, evaluation: Evaluation): string | null {
  const { rule, outcome, waiver, approved, approve, objections } = finding;
  if (objections !== undefined)
    return `changes requested by ${objections.map(({ by }) => (by === null ? "somebody, perhaps" : `@${by.login}`)).join(", ")}`;
  if (outcome !== "violated") return null;
  if (waiver !== null)
    return `waived by ${waiver.owner} until ${formatUtcDay(waiver.untilMs - 1)}: ${waiver.reason}`;
  if (approved) return `approved by ${listLogins(evaluation, finding).join(", ")}`;
  if (decideEffect(finding) !== "block") return null;
  if (approve === null)
    return `nobody can approve it${finding.codeOwners ? " now: its code owners are unknown" : ""}`;
  const missing = evaluation.approvals.missing.find((one) => one.rule === rule)?.groups ?? [];
  const needed = listOwnGroups(finding);
  const groups = missing
    .filter(({ group }) => needed.includes(group))
    .map(
      ({ group, lacks }) => `${formatCount(lacks)} from ${describeGroup(approve.groups[group], evaluation)}`,
    );
  return groups.length === 0 ? null : `needs ${groups.join(", and ")}`;
}

type Evaluation = PullSubject["evaluation"];

const listLogins = ({ approvals }: Evaluation, finding: Finding): readonly string[] =>
  approvals.live
    .filter(({ covered }) =>
      covered.some((one) => one.rule === finding.rule && isOfGroups(finding, one.groups)),
    )
    .map(({ approver }) => approver.login);

/** Who a group of approvers is: "@acme/finops or anybody with write permission". */
export function describeGroup(
  group: NonNullable<Finding["approve"]>["groups"][number] | undefined,
  { pull }: { readonly pull: Parameters<typeof listApprovers>[1] },
): string {
  if (group === undefined) return "its approvers";
  const named = listApprovers(group, pull).map((approver) => `@${approver}`);
  const permission = group.permission === null ? [] : [`anybody with ${group.permission} permission`];
  return `${group.ownsFiles ? "a code owner: " : ""}${[...named, ...permission].join(" or ")}`;
}

interface ApprovalLine {
  readonly approval: Approval;
  /** Why it is no longer in force; null: it is. */
  readonly why: Lapse | null;
}

/** The approvals in force and those that ended, with their amounts. */
export function createApprovalTable({ evaluation: { approvals, pull }, texts }: PullSubject): Table {
  const listRules = ({ covered }: Approval) => covered.map(({ rule }) => rule);
  const describe = ({ approval, why }: ApprovalLine): string =>
    why === null ? "in force" : texts.describeLapse(why, listRules(approval));
  return createTable<ApprovalLine>({
    ...{ name: "approvals", caption: "Approvals", empty: "Nobody has approved anything." },
    rows: [...approvals.live.map((approval) => ({ approval, why: null })), ...approvals.lapsed],
    columns: [
      {
        ...{ key: "state", label: "State" },
        cell: (line) =>
          line.why === null
            ? { text: "In force", icon: "check-circle", tone: "success" }
            : { text: "Ended", icon: "x", tone: "muted", note: describe(line) },
        value: describe,
      },
      {
        ...{ key: "approver", label: "By" },
        cell: ({ approval: { approver, reason } }) => ({
          text: approver.login,
          ...(reason !== "" && { note: reason }),
        }),
        value: ({ approval }) => approval.approver.login,
      },
      buildTextColumn({ key: "rules", label: "Rules" }, ({ approval }) => listRules(approval).join(", ")),
      {
        ...{ key: "given", label: "Given" },
        cell: ({ approval }) => ({
          text: formatUtcTime(approval.givenMs),
          note: `for ${approval.headSha.slice(0, SHA_DIGITS)}${approval.untilMs ? `, until ${formatUtcDay(approval.untilMs - 1)}` : ""}`,
        }),
        value: ({ approval }) => new Date(approval.givenMs).toISOString(),
      },
      ...(pull.figures ? AMOUNT_COLUMNS : []),
    ],
  });
}

const AMOUNT_COLUMNS: readonly Column<ApprovalLine>[] = [
  {
    ...{ key: "up_to", label: "Up to", numeric: true },
    cell: ({ approval }) => (approval.upTo === null ? NO_VALUE : { text: formatMoney(approval.upTo) }),
    value: ({ approval }) => approval.upTo?.amount ?? null,
  },
  buildFileColumn("currency", ({ approval }) => approval.upTo?.currency ?? null),
];
