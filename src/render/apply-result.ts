import { type Decimal, ZERO } from "../kernel/money.ts";
import type { ApplyDifference, ApplyDoubt, ApplyResult, PlannedAction } from "../policy/model/apply.ts";
import { formatCellName, formatLink, formatName, parseLinkTarget } from "./escape.ts";
import { formatPullNumbers } from "./format.ts";

/** What the apply gate says of one workspace. */
export interface VerifiedPlan {
  readonly workspace: string;
  readonly result: ApplyResult;
  /** Numbers of the pull requests whose evaluations count; that are not compared; and that were merged without a passing check. */
  readonly pulls: readonly number[];
  readonly uncounted: readonly number[];
  readonly unchecked: readonly number[];
  /** Page of the commit's pull request; null: none is known. */
  readonly page: string | null;
}

/** For the job's log, its exit code, its summary and for programs. */
export interface DescribedApply {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 3;
  readonly markdown: string;
  readonly json: object;
}

/** Describes what the apply gate found. A difference in one workspace has precedence over what is unknown of another. */
export function describeApply(plans: readonly VerifiedPlan[]): DescribedApply {
  const kinds = plans.map(({ result }) => result.kind);
  const kind = KINDS.find((one) => kinds.includes(one)) ?? "undecided";
  return {
    lines: plans.flatMap(listLines),
    exitCode: EXIT_CODES[kind],
    markdown: formatMarkdown(kind, plans),
    json: {
      result: kind,
      workspaces: plans.map((plan) => {
        const { workspace, result, pulls, page } = plan;
        const { kind: own, ...rest } = result;
        return { workspace, result: own, ...rest, pull_requests: pulls, page, notes: listNotes(plan) };
      }),
    },
  };
}

type Kind = ApplyResult["kind"];
const KINDS: readonly Kind[] = ["exceeds", "undecided", "within"];
const EXIT_CODES = { within: 0, exceeds: 1, undecided: 3 } as const;

function listLines(plan: VerifiedPlan): readonly string[] {
  const { workspace, result, pulls, page } = plan;
  const whose = pulls.length === 0 ? "" : ` (${formatPullNumbers(pulls)})`;
  const rest = [...describeResult(result), ...listNotes(plan), ...(page === null ? [] : [page])];
  return [`${workspace}: ${HEADLINES[result.kind]}${whose}`, ...rest.map((text) => `  ${text}`)];
}

/** What the reader should know beside the result. */
const listNotes = ({ uncounted, unchecked }: VerifiedPlan): readonly string[] => [
  ...(uncounted.length === 0
    ? []
    : [
        `Merged earlier and not compared, because no apply of this workspace was accepted yet: ${formatPullNumbers(uncounted)}. If they are not applied yet, apply them first, each at its merge commit.`,
      ]),
  ...(unchecked.length === 0
    ? []
    : [`Merged although the check had not passed, so they allow nothing: ${formatPullNumbers(unchecked)}.`]),
];

/** What differs, is unknown or was not compared, one text each; text from outside, not escaped. */
export const describeResult = (result: ApplyResult): readonly string[] =>
  listDetails(result).map((detail) => ("text" in detail ? detail.text : formatRow(detail)));

const HEADLINES: { readonly [K in Kind]: string } = {
  within: "the apply does at most what was evaluated",
  exceeds: "the apply exceeds what was evaluated",
  undecided: "it is not known whether the apply does what was evaluated",
};

const formatRow = ({ about, expected, found }: Row): string => `${about}: ${found}; evaluated: ${expected}`;

/** One difference. */
interface Row {
  readonly about: string;
  readonly expected: string;
  readonly found: string;
}

function listDetails(result: ApplyResult): readonly (Row | { readonly text: string })[] {
  switch (result.kind) {
    case "within":
      return result.cost === "compared" ? [] : [{ text: UNCOMPARED[result.cost] }];
    case "undecided":
      return result.because.map((doubt) => ({ text: DOUBTS[doubt] }));
    case "exceeds": {
      const more = result.more === 0 ? [] : [{ text: `and ${result.more} more differences` }];
      return [...result.differences.map(describeDifference), ...more];
    }
  }
}

const UNCOMPARED = {
  not_estimated: "The cost is not compared: give the estimate of this apply with --infracost.",
  hidden: "The cost is not compared: the evaluation shows no figures.",
} as const;

function describeDifference(difference: ApplyDifference): Row {
  if (difference.kind === "action") {
    const { address, expected, found } = difference;
    const words = expected.map((action) => ACTIONS[action]).join(", ");
    return { about: address, expected: words || "no change", found: ACTIONS[found] };
  }
  const { currency, expected, allowed, found } = difference;
  const write = (amount: Decimal): string =>
    `${amount.startsWith("-") || amount === ZERO ? "" : "+"}${amount} ${currency}`;
  const limit = allowed === expected ? "" : `; with the tolerance ${write(allowed)}`;
  return { about: "cost per month", expected: `${write(expected)}${limit}`, found: write(found) };
}

const ACTIONS: { readonly [A in PlannedAction]: string } = {
  added: "created",
  changed: "changed",
  deleted: "deleted",
  replaced: "replaced",
  imported: "imported",
  removed: "no longer managed",
  invoked: "invoked",
};

/** What is unknown, and the way out. */
const DOUBTS: { readonly [D in ApplyDoubt]: string } = {
  no_evaluation:
    "No evaluated pull request is known for this commit. Apply the merge commit of one, or the head of an open one, and check --sha.",
  workspace_not_evaluated:
    "The evaluation has no plan of this workspace. Name it with --workspace as the job of the pull request does.",
  ambiguous_workspace: "Workspaces of several projects have this name. Name it as PROJECT/WORKSPACE.",
  unchecked_merge:
    "The pull request was merged although its check had not passed. Revert it, or apply it by hand.",
  not_passed: "The check of the open pull request does not pass, or this commit is not its head any longer.",
  other_base:
    "The pull request goes into another branch than the one that is applied. If that branch's policy counts, name it with --base.",
  superseded: "A later commit was applied already. Apply the newest commit of the branch.",
  incomplete_evaluation: "The evaluated plan was incomplete, so what it leaves out is not known.",
  incomplete_plan:
    "This plan is incomplete: it defers changes, has targets, or failed. Plan everything without -target.",
  evaluated_cost_unknown: "The evaluated cost is not known, so the cost of this apply cannot be compared.",
  cost_unknown: "The estimate of this apply does not know its cost.",
  other_currency: "The estimate, the evaluated cost and the tolerance have different currencies.",
  digest_differs:
    "The plan is not the evaluated one. Without a server, only an equal plan is accepted, and what differs is not known.",
  no_digest: "The check states no digest of a plan of this workspace.",
  several_checks: "Several Apps wrote a check of this name. Name the one that counts with --app.",
};

const TITLES: { readonly [K in Kind]: string } = {
  within: "✅ Apply gate: at most what was evaluated",
  exceeds: "⛔ Apply gate: more than was evaluated",
  undecided: "⏸️ Apply gate: not known whether this was evaluated",
};

function formatMarkdown(kind: Kind, plans: readonly VerifiedPlan[]): string {
  const sections = plans.map((plan) => {
    const { workspace, result, page } = plan;
    const name = formatLink(formatName(workspace), page === null ? null : parseLinkTarget(page));
    const details = listDetails(result);
    const rows = details.flatMap((detail) => ("text" in detail ? [] : [formatCells(detail)]));
    const table = rows.length === 0 ? [] : [["| | Evaluated | Found |", "|:--|:--|:--|", ...rows].join("\n")];
    const texts = details.flatMap((detail) => ("text" in detail ? [detail.text] : []));
    return [`${name}: ${HEADLINES[result.kind]}.`, ...table, ...texts, ...listNotes(plan)].join("\n\n");
  });
  return [`### ${TITLES[kind]}`, ...sections].join("\n\n");
}

const formatCells = ({ about, expected, found }: Row): string =>
  `| ${formatCellName(about)} | ${formatCellName(expected)} | ${formatCellName(found)} |`;
