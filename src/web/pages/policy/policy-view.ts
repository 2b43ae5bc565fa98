import type { PolicyProblem } from "../../../policy/model/policy.ts";
import { formatPullPath } from "../../page/address.ts";
import type { BranchFiles } from "../../policy-access.ts";
import type { PolicyTrial } from "./try-policy.ts";

/** Path of the policy file in a repository. */
export const POLICY_FILE = ".github/tollgate.yml";
/** Longest address that browsers and GitHub surely take, in characters. */
const MAX_ADDRESS = 6_000;
/** Longest line of a policy that a problem quotes, in characters. */
const MAX_QUOTED = 160;

/** Returns a problem with the line that it is in. */
export function buildProblemView({ line, column, path, message }: PolicyProblem, text: string) {
  const source = text.split("\n")[line - 1] ?? "";
  return { line, column, path, message, source: source.slice(0, MAX_QUOTED).trimEnd() || null };
}

/** Returns the values of the template `policy-trial`. */
export function buildTrialView(trial: PolicyTrial, { text, repository, own }: TrialPlace) {
  const problems = trial.state === "invalid" ? trial.problems : [];
  const ofThis = problems.filter(({ file }) => file === own);
  const comparison = trial.state === "valid" ? trial.comparison : null;
  return {
    state: trial.state,
    problems: ofThis.map((problem) => buildProblemView(problem, text)),
    /** Mistakes of the organisation's file, which the reader may not be allowed to see. */
    otherProblems: problems.length - ofThis.length,
    comparison:
      comparison === null
        ? null
        : {
            ...comparison,
            difference: listDifferences(comparison.difference),
            changed: comparison.changed.map(({ number, from, to }) => ({
              pullNumber: number,
              href: formatPullPath(repository, number),
              from: { verdict: from, ...LOOKS[from] },
              to: { verdict: to, ...LOOKS[to] },
            })),
          },
  };
}

interface TrialPlace {
  readonly text: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Name of the repository's own file in problems. */
  readonly own: string;
}

const LOOKS = {
  pass: { icon: "check-circle-fill", tone: "success" },
  warn: { icon: "alert-fill", tone: "attention" },
  block: { icon: "x-circle-fill", tone: "danger" },
  undecided: { icon: "question", tone: "danger" },
} as const;

type Difference = NonNullable<Extract<PolicyTrial, { state: "valid" }>["comparison"]>["difference"];

function listDifferences(difference: Difference) {
  const { addedRules, changedRules, removedRules, addedWaivers, removedWaivers, otherParts } = difference;
  return [
    { kind: "added_rules", names: addedRules },
    { kind: "changed_rules", names: changedRules },
    { kind: "removed_rules", names: removedRules },
    { kind: "added_waivers", names: addedWaivers },
    { kind: "removed_waivers", names: removedWaivers },
    { kind: "other_parts", names: otherParts },
  ].filter(({ names }) => names.length > 0);
}

/**
 * Returns the address of GitHub's editor for the policy file. GitHub takes the text of a new file from the address, where it is short
 * enough (`isFilled`), and never that of an existing one.
 */
export function formatEditor(
  {
    github,
    repository,
    files,
  }: { readonly github: string; readonly repository: string; readonly files: BranchFiles },
  text: string,
): { readonly href: string; readonly isFilled: boolean } {
  const branch = files.branch.split("/").map(encodeURIComponent).join("/");
  const root = `${github}/${repository}`;
  if (files.repository.state !== "absent")
    return { href: `${root}/edit/${branch}/${POLICY_FILE}`, isFilled: false };
  const start = `${root}/new/${branch}?${new URLSearchParams({ filename: POLICY_FILE })}`;
  const filled = `${start}&${new URLSearchParams({ value: text })}`;
  return filled.length <= MAX_ADDRESS ? { href: filled, isFilled: true } : { href: start, isFilled: false };
}
