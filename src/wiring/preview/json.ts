import { toIsoDay } from "../../kernel/instant.ts";
import type { Decimal } from "../../kernel/money.ts";
import type { MissingApproval } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { type Finding, isApprovable, listRuleGroups, type Verdict } from "../../policy/model/finding.ts";
import type { CostLine, Report, StageReport, UsageCounts } from "../../report/model/report.ts";

/**
 * Returns the machine-readable preview. Amounts are exact decimal strings per month, null only when unknown;
 * `percent` is a number; `changes` is null without a plan; `verdict` and `conclusion` are null without a
 * policy.
 */
export function toPreviewJson({ report, situation, check, approvals }: Evaluation): object {
  const verdict = situation.kind === "evaluated" ? situation.verdict : null;
  return {
    report: toReportJson(report),
    verdict: verdict && {
      kind: verdict.kind,
      findings: verdict.findings.map(toFindingJson),
      missing: approvals.missing.map((one) => toMissingJson(one, verdict)),
    },
    conclusion: verdict !== null && check.status === "completed" ? check.conclusion : null,
  };
}

/** Who has to approve a violation of a rule: each group that lacks approvals, and how many. */
function toMissingJson({ rule, groups }: MissingApproval, { findings }: Verdict): object {
  const named = listRuleGroups(findings, rule);
  return {
    rule,
    groups: groups.flatMap(({ group, lacks }) => {
      const who = named[group];
      if (who === undefined) return [];
      const { users, teams, permission, tagValue, codeowners } = who;
      const own = {
        ...(tagValue !== undefined && { tag_value: tagValue }),
        ...(codeowners && { codeowners }),
      };
      return [{ users, teams, permission, lacks, ...own }];
    }),
  };
}

function toReportJson(report: Report): object {
  return {
    totals: report.totals.map(toLineJson),
    stages: report.stages.map((stage) => ({
      workspace: stage.workspace,
      name: stage.name,
      ...toLineJson(stage),
      status: stage.status,
      changes: stage.counts,
      deferred: stage.planNotes?.incomplete?.deferred ?? [],
      invocations: stage.planNotes?.invocations.listed ?? null,
      outputs: stage.outputs?.listed ?? [],
      failed_checks: stage.planNotes?.failedChecks.listed ?? [],
      changes_are_complete: stage.countsBecause === null,
      unpriced: stage.unpriced,
      usage_based: toUsageJson(stage),
      estimator_findings: stage.estimatorFindings ?? null,
      problems: stage.problems,
      notices: stage.notices,
    })),
    modules: report.modules.map((line) => ({ module: line.module, ...toLineJson(line) })),
    resource_types: report.resourceTypes.map((line) => ({ type: line.type, ...toLineJson(line) })),
    by_tag: report.byTag === undefined ? null : toTagsJson(report.byTag),
    changes: report.changes,
    changes_are_complete: report.changesAreComplete,
    unpriced: report.unpriced,
    usage: report.usage ?? NO_USAGE,
  };
}

const toTagsJson = ({ key, lines }: NonNullable<Report["byTag"]>): object => ({
  key,
  lines: lines.map((line) => ({ kind: line.kind, value: line.value, ...toLineJson(line) })),
});

function toLineJson(line: CostLine): object {
  const { currency, before, after, change, percent, state, because, usage = NO_USAGE } = line;
  // `previous` and `current` are fixed names; pages and the API say before and after.
  const amounts = { before, after, previous: before, current: after, change, percent: toNumber(percent) };
  return { currency, ...amounts, state, because, usage };
}

const NO_USAGE: UsageCounts = { before: 0, after: 0, introduced: 0, deleted: 0 };

/** Returns the usage-based resources by name; null: the estimate does not state them. */
function toUsageJson({ usageBased }: StageReport): object | null {
  if (usageBased === undefined || !usageBased.isStated) return null;
  const { resources, unnamed, unnamedUnchanged } = usageBased;
  return { resources, unnamed, unnamed_unchanged: unnamedUnchanged };
}

/** Converts a percentage to a number; its two decimals stay exact. */
const toNumber = (percent: Decimal | null): number | null => (percent === null ? null : Number(percent));

function toFindingJson(finding: Finding): object {
  const { rule, outcome, enforce, per, subject, limit, measured, because, mismatch } = finding;
  const { message, items, waiver, approved } = finding;
  const approvable = isApprovable(finding);
  const already_above = finding.alreadyAbove === true;
  return {
    rule,
    outcome,
    enforce,
    ...(finding.enforceFromMs !== undefined && {
      enforce_from: toIsoDay(finding.enforceFromMs),
    }),
    per,
    tag: finding.perTag ?? null,
    subject,
    limit,
    measured,
    already_above,
    because,
    mismatch: mismatch ?? null,
    message,
    items,
    ...(finding.tagProblems && { tag_problems: finding.tagProblems }),
    waiver,
    approvable,
    approved,
  };
}
