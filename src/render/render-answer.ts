import type { Money } from "../kernel/money.ts";
import type { ApprovalRefusal, OverrideRefusal } from "../policy/model/approval.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { formatCodeBlock, formatMention, formatName } from "./escape.ts";
import { formatDay, formatMoney } from "./format.ts";
import { buildOfferView } from "./sections/approvals.ts";
import { buildFindingsSection, listFindings } from "./sections/findings.ts";
import { formatVerdictLine } from "./sections/headline.ts";
import { buildOverrideView } from "./sections/next-step.ts";
import { buildNotApplicableView } from "./sections/not-applicable.ts";
import { NO_LINKS } from "./sections/section.ts";
import type { FillTemplate } from "./templates.ts";

/** Largest number of findings in an answer; the report lists all of them. */
const MAX_FINDINGS = 5;

/** Renders the comment that answers a command. */
export function renderAnswer(fill: FillTemplate, answer: CommandAnswer, evaluation: Evaluation): string {
  if (answer.kind === "explain") return explainRule(fill, answer.rule, evaluation);
  const { command, commands } = buildOfferView(evaluation);
  const oneJob = evaluation.context.oneShot === true;
  const common = { base: formatName(evaluation.pull.baseRef), command, commands, oneJob };
  if (answer.kind === "malformed")
    return fill("answer-malformed", { ...common, ...buildProblemView(answer.problem, evaluation) });
  if (answer.kind === "refused")
    return fill("answer-refused", {
      ...common,
      ...buildRefusalView(answer.why, evaluation),
      review: answer.review === true,
    });
  if (answer.kind === "override_refused")
    return fill("answer-override-refused", {
      ...common,
      ...buildOverrideRefusalView(answer.why, evaluation),
    });
  if (answer.kind === "approval_ends")
    return fill("approval-ends", {
      people: [answer.approver, ...answer.teams].map(formatMention),
      rules: answer.rules.map(formatName),
      upTo: answer.upTo && formatMoney(answer.upTo),
      lastDay: formatDay(answer.lastDay),
      isLastDay: answer.isLastDay,
    });
  return fill(answer.kind === "help" ? "answer-help" : "answer-nothing-to-revoke", common);
}

const buildProblemView = (problem: CommandProblemAnswer, { pull: { headSha } }: Evaluation) => ({
  problem: problem.kind,
  beginning: problem.kind === "sha" && isBeginningOf(headSha, problem.found.toLowerCase()),
  digits: headSha.length,
  found: "found" in problem && problem.found !== "" ? formatName(problem.found) : null,
  verb: "verb" in problem ? (problem.kind === "sha" ? problem.verb : formatName(problem.verb)) : null,
  count: "count" in problem ? problem.count : 0,
});

/** For the wording only: approvals name commits in full. */
const isBeginningOf = (headSha: string, text: string): boolean =>
  text.length >= 4 && headSha.startsWith(text);

const buildRefusalView = (why: ApprovalRefusal, { pull }: Evaluation) => ({
  why: why.kind,
  rule: "rule" in why ? formatName(why.rule) : null,
  team: "team" in why ? formatName(why.team) : null,
  named: why.kind === "other_head" ? formatName(why.named) : null,
  head: "headSha" in why ? formatName(why.headSha) : null,
  found: "found" in why && pull.figures ? formatMoney(why.found) : null,
  currency: "found" in why ? formatName(why.found.currency) : null,
});

const buildOverrideRefusalView = (why: OverrideRefusal, { pull: { headSha } }: Evaluation) => ({
  why: why.kind,
  named: why.kind === "other_head" ? formatName(why.named) : null,
  team: "team" in why ? formatName(why.team) : null,
  head: formatName(headSha),
  overrideCommand: formatCodeBlock(`/tollgate override ${headSha} REASON`),
});

/** Explains which rule decided, and on which value. */
function explainRule(fill: FillTemplate, rule: string | null, evaluation: Evaluation): string {
  const { situation } = evaluation;
  const own = listFindings(situation).filter((finding) => rule === null || finding.rule === rule);
  const elsewhere = rule === null ? [] : own.filter(({ mismatch }) => mismatch !== undefined);
  const verdict = "verdict" in situation ? situation.verdict : null;
  const narrowed = verdict && { kind: "evaluated" as const, verdict: { ...verdict, findings: own } };
  const source = { evaluation: { ...evaluation, situation: narrowed ?? situation }, links: NO_LINKS };
  const findings = buildFindingsSection(source).view(MAX_FINDINGS);
  return fill("answer-explain", {
    title: formatVerdictLine(fill, evaluation),
    ...buildOverrideView(evaluation),
    rule: rule === null ? null : formatName(rule),
    known: own.length > 0,
    notApplicable:
      elsewhere.length === 0
        ? ""
        : fill("not-applicable-rules", buildNotApplicableView(source, elsewhere, MAX_FINDINGS)),
    findings: findings === null ? "" : fill("findings", findings),
  });
}

/** A problem of a command; `found` is the written text, not escaped. */
export type CommandProblemAnswer =
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unknown_verb" | "amount" | "until"; readonly found: string }
  | { readonly kind: "sha"; readonly verb: "approve" | "override"; readonly found: string }
  | { readonly kind: "extra_words"; readonly verb: string; readonly found: string }
  | { readonly kind: "reason" | "not_plain" | "too_long" };

/** The answer to a command for which a reaction is not enough. */
export type CommandAnswer =
  | { readonly kind: "help" }
  | { readonly kind: "malformed"; readonly problem: CommandProblemAnswer }
  /** `review`: of an approving review. */
  | { readonly kind: "refused"; readonly why: ApprovalRefusal; readonly review?: true }
  | { readonly kind: "override_refused"; readonly why: OverrideRefusal }
  | { readonly kind: "nothing_to_revoke" }
  /** No answer, but a reminder: the last day of a temporary approval is near, or today. `upTo` null: no amount, or hidden. */
  | {
      readonly kind: "approval_ends";
      readonly approver: string;
      /** As `organisation/team`. */
      readonly teams: readonly string[];
      readonly rules: readonly string[];
      readonly upTo: Money | null;
      readonly lastDay: string;
      readonly isLastDay: boolean;
    }
  /** Null: every rule that is violated or undecided. */
  | { readonly kind: "explain"; readonly rule: string | null };
