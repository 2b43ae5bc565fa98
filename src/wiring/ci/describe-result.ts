import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { formatDecision } from "../../store/evaluations.ts";
import { toPreviewJson } from "../preview/json.ts";
import type { CiResult } from "./run-ci.ts";

/** A result for the job's log, its exit code, and for programs. */
export interface DescribedResult {
  /** One line: the check and how it ended. */
  readonly line: string;
  readonly messages: readonly string[];
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly json: object;
}

/** Describes what a CI job found out. */
export function describeCiResult({ result, refused, unread }: CiResult): DescribedResult {
  const { repositoryId, number, headSha } = result.pull;
  const about = { repository_id: repositoryId, pull_request: number, head_sha: headSha };
  const messages = refused.flatMap(({ message, hint }) => [message, hint]);
  if (result.state !== "evaluated")
    return {
      line: `not evaluated: pull request ${number} ${result.state === "closed" ? "is closed" : `has another head, ${headSha}`}`,
      messages,
      exitCode: result.state === "closed" ? 0 : 3,
      json: { ...about, state: result.state, conclusion: null, check: null, verdict: null, report: null },
    };
  const { evaluation } = result.stored;
  const conclusion = formatDecision(evaluation.check);
  const isIncomplete = unread.length > 0 || refused.some(({ isFatal }) => isFatal);
  return {
    line:
      evaluation.check.status === "none"
        ? "no check without a policy"
        : `${evaluation.checkName}: ${conclusion}`,
    messages,
    exitCode: isIncomplete ? 2 : EXIT_CODES[toOutcome(evaluation)],
    json: {
      ...about,
      state: result.state,
      check: evaluation.check.status === "none" ? null : evaluation.checkName,
      missing_permissions: refused.map(({ permission }) => permission),
      ...toPreviewJson(evaluation),
      conclusion: evaluation.check.status === "completed" ? conclusion : null,
    },
  };
}

type Outcome = "pass" | "block" | "unusable" | "undecided";
const EXIT_CODES = { pass: 0, block: 1, unusable: 2, undecided: 3 } as const;

const OUTCOMES: { readonly [K in Exclude<Situation["kind"], "evaluated">]: Outcome } = {
  draft: "undecided",
  waiting: "undecided",
  deadline_passed: "undecided",
  policy_invalid: "unusable",
  policy_unreadable: "unusable",
  cost_unreadable: "undecided",
  execution_unreadable: "undecided",
  failed: "undecided",
  nothing_expected: "pass",
  no_policy: "pass",
};

function toOutcome({ situation }: Evaluation): Outcome {
  if (situation.kind !== "evaluated") return OUTCOMES[situation.kind];
  const { kind } = situation.verdict;
  return kind === "warn" ? "pass" : kind;
}
