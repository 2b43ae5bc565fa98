import { listApprovalNeeds } from "../../policy/approvals/requests.ts";
import { decideEffect } from "../../policy/evaluate/evaluate-policy.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Finding, MeasuredValue } from "../../policy/model/finding.ts";
import type { CostLine } from "../../report/model/report.ts";
import { toIndexText } from "../index-text.ts";
import type { CostKnowledge, RuleEffect } from "../tables/history.ts";

/**
 * What pages list of an evaluation, as rows. Where readers may not see figures there is no amount among them: neither a cost nor
 * a measured amount or percentage.
 */
export function buildEvaluationRows(evaluation: Evaluation) {
  const { pull, report, situation } = evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  const open = findings.filter(({ outcome }) => outcome === "violated" || outcome === "undecided");
  return {
    totals: pull.figures ? report.totals.map(toCostRow) : [],
    stages: pull.figures ? report.stages.map(toStageRow) : [],
    findings: open.map((finding, position) => toFindingRow(finding, { position, figures: pull.figures })),
    approvals: listApprovalNeeds(evaluation),
    // The verdict on a draft is provisional, so it counts for no rule.
    rules: situation.kind === "evaluated" ? listRuleEffects(findings) : [],
    isVerdict: situation.kind === "evaluated",
  };
}

/** Whether the monthly change of an evaluation is known. */
export function decideCostKnowledge({ pull, report, situation }: Evaluation): CostKnowledge {
  if (situation.kind === "failed") return "unknown";
  if (!pull.figures) return "hidden";
  const { stages, totals, refused } = report;
  if (stages.length === 0 && refused.length === 0) return COSTLESS.has(situation.kind) ? "none" : "unknown";
  const isKnown = [...stages, ...totals].every(({ state }) => state === "known") && refused.length === 0;
  return isKnown ? "known" : "unknown";
}

/** Situations in which a pull request without an execution changes no cost. */
const COSTLESS: ReadonlySet<Evaluation["situation"]["kind"]> = new Set([
  "evaluated",
  "nothing_expected",
  "no_policy",
]);

const toCostRow = ({ currency, before, after, change, state }: CostLine) => ({
  currency: currency === null ? null : toIndexText(currency),
  before,
  after,
  change,
  state,
});

const toStageRow = (stage: Evaluation["report"]["stages"][number]) => {
  const [org, project, workspace] = [stage.org, stage.project, stage.workspace].map(toIndexText);
  return { org, project, workspace, name: stage.name, ...toCostRow(stage) };
};

function toFindingRow(
  finding: Finding,
  { position, figures }: { readonly position: number; readonly figures: boolean },
) {
  const { rule, outcome, enforce, per, subject, others, limit, measured } = finding;
  const isShown = measured !== null && (figures || !FIGURES.has(measured.kind));
  return {
    ...{ position, rule, outcome, enforce, per, subject, others, limit },
    effect: decideFindingEffect(finding),
    measured: isShown ? measured : null,
  };
}

/** Kinds of measured values that tell an amount. */
const FIGURES: ReadonlySet<MeasuredValue["kind"]> = new Set(["money", "percent", "increase_from_zero"]);

function decideFindingEffect(finding: Finding): RuleEffect {
  const { outcome, waiver, approved } = finding;
  if (outcome === "violated" && waiver !== null) return "waived";
  if (outcome === "violated" && approved) return "approved";
  switch (decideEffect(finding)) {
    case "block":
      return "blocked";
    case "undecided":
      return "undecided";
    case "warn":
      return "warned";
    case "pass":
      return outcome === "not_applicable" ? "not_applicable" : "passed";
  }
}

/** Worst first: the effect of a rule is the worst effect of its findings. */
const EFFECTS: readonly RuleEffect[] = [
  "blocked",
  "undecided",
  "approved",
  "waived",
  "warned",
  "passed",
  "not_applicable",
];

/** What each rule of a verdict does to the pull request. */
export function listRuleEffects(findings: readonly Finding[]) {
  return [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, own]) => {
    const effects = new Set(own.map(decideFindingEffect));
    return {
      rule,
      enforce: own.some(({ enforce }) => enforce === "block") ? ("block" as const) : ("warn" as const),
      effect: EFFECTS.find((effect) => effects.has(effect)) ?? "passed",
      violated: own.some(({ outcome }) => outcome === "violated"),
    };
  });
}
