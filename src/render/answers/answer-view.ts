import type { ApprovalRefusal } from "../../policy/model/approval-refusal.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { formatMoney } from "../format/money.ts";
import type { Fill } from "../handlebars/templates.ts";
import { name } from "../markup/escape.ts";
import { findingsSection, listFindings } from "../sections/findings.ts";
import { formatTitle } from "../sections/headline.ts";
import { notApplicableView } from "../sections/not-applicable.ts";
import { offerView } from "../sections/offer.ts";
import { createSubject } from "../sections/section.ts";
import type { CommandAnswer, CommandProblemAnswer } from "./answer.ts";

/** Largest number of findings in an answer; the report lists all of them. */
const FINDINGS = 5;

/** Renders the comment that answers a command. */
export function renderAnswer(fill: Fill, answer: CommandAnswer, evaluation: Evaluation): string {
  if (answer.kind === "explain") return explain(fill, answer.rule, evaluation);
  const { command, commands } = offerView(evaluation);
  const common = { base: name(evaluation.pull.baseRef), command, commands };
  if (answer.kind === "malformed")
    return fill("answer-malformed", { ...common, ...problemView(answer.problem, evaluation) });
  if (answer.kind === "refused")
    return fill("answer-refused", { ...common, ...refusalView(answer.why, evaluation) });
  return fill(answer.kind === "help" ? "answer-help" : "answer-nothing-to-revoke", common);
}

const problemView = (problem: CommandProblemAnswer, { pull: { headSha } }: Evaluation) => ({
  problem: problem.kind,
  beginning: problem.kind === "sha" && isBeginningOf(headSha, problem.found.toLowerCase()),
  digits: headSha.length,
  found: "found" in problem && problem.found !== "" ? name(problem.found) : null,
  verb: "verb" in problem ? name(problem.verb) : null,
  count: "count" in problem ? problem.count : 0,
});

/** For the wording only: approvals name commits in full. */
const isBeginningOf = (headSha: string, text: string): boolean =>
  text.length >= 4 && headSha.startsWith(text);

const refusalView = (why: ApprovalRefusal, { pull }: Evaluation) => ({
  why: why.kind,
  rule: "rule" in why ? name(why.rule) : null,
  named: why.kind === "other_head" ? name(why.named) : null,
  head: "headSha" in why ? name(why.headSha) : null,
  found: "found" in why && pull.figures ? formatMoney(why.found) : null,
  currency: "found" in why ? name(why.found.currency) : null,
});

/** Explains which rule decided, and on which value. */
function explain(fill: Fill, rule: string | null, evaluation: Evaluation): string {
  const { situation } = evaluation;
  const own = listFindings(situation).filter((finding) => rule === null || finding.rule === rule);
  const told = own.filter(({ outcome }) => outcome === "violated" || outcome === "undecided");
  const elsewhere = rule === null ? [] : own.filter(({ mismatch }) => mismatch !== undefined);
  const narrowed: Evaluation =
    "verdict" in situation && situation.verdict !== null
      ? { ...evaluation, situation: { ...situation, verdict: { ...situation.verdict, findings: told } } }
      : evaluation;
  const subject = createSubject(narrowed, { details: null, recheck: false, github: null });
  const findings = findingsSection(subject).view(FINDINGS);
  return fill("answer-explain", {
    title: formatTitle(fill, evaluation),
    rule: rule === null ? null : name(rule),
    known: own.length > 0,
    notApplicable:
      elsewhere.length === 0
        ? ""
        : fill("not-applicable-rules", notApplicableView(subject, elsewhere, FINDINGS)),
    findings: findings === null ? "" : fill("findings", findings),
  });
}
