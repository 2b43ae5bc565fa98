import type { ApplyDifference, ApplyResult } from "../../../policy/model/apply.ts";
import { createMoneyStyle, formatCount, SHA_DIGITS } from "../../../render/format.ts";
import type { ListedApply } from "../../../store/after-merge/applies.ts";
import { buildAgeColumn, buildFileColumn, buildTextColumn } from "../../page/columns.ts";
import { createTable, type Table, type TableCell } from "../../page/table.ts";
import type { PullSubject } from "./pull-subject.ts";

/** Most differences of one apply that the page names. */
const MAX_DIFFERENCES = 5;

/** What the apply gate answered about the pull request. */
export function createApplyTable(
  { github, repository, nowMs }: PullSubject,
  applies: readonly ListedApply[],
): Table {
  const root = `${github}/${repository.owner}/${repository.name}/commit/`;
  return createTable<ListedApply>({
    ...{ name: "applies", caption: "Applies", empty: "No apply was verified.", rows: applies },
    columns: [
      {
        ...{ key: "result", label: "Result" },
        cell: ({ result }) => ({ ...RESULTS[result.kind], note: describeResult(result) }),
        value: ({ result }) => result.kind,
      },
      buildTextColumn({ key: "workspace", label: "Workspace" }, ({ workspace }) => workspace),
      {
        ...{ key: "sha", label: "Commit" },
        cell: ({ sha }) => ({ text: sha.slice(0, SHA_DIGITS), href: root + sha, code: true }),
        value: ({ sha }) => sha,
      },
      buildTextColumn({ key: "actor", label: "By" }, ({ actor }) => actor),
      buildAgeColumn({ key: "at", label: "When" }, ({ atMs }) => new Date(atMs), nowMs),
      buildFileColumn("pulls", ({ pulls }) => pulls.join(" ")),
      buildFileColumn("details", ({ result }) => describeResult(result)),
    ],
  });
}

const RESULTS: Readonly<Record<ApplyResult["kind"], TableCell>> = {
  within: { text: "Accepted", icon: "check-circle", tone: "success" },
  exceeds: { text: "Refused", icon: "x-circle-fill", tone: "danger" },
  undecided: { text: "Not accepted", icon: "question", tone: "attention" },
};

function describeResult(result: ApplyResult): string {
  if (result.kind === "within") return result.cost === "compared" ? "" : "The cost was not compared.";
  if (result.kind === "undecided") return result.because.map((one) => one.replaceAll("_", " ")).join(", ");
  const { differences, more } = result;
  const rest = more + Math.max(0, differences.length - MAX_DIFFERENCES);
  const named = differences.slice(0, MAX_DIFFERENCES).map(describeDifference);
  return [...named, ...(rest > 0 ? [`and ${formatCount(rest)} more`] : [])].join("; ");
}

function describeDifference(one: ApplyDifference): string {
  if (one.kind === "action")
    return `${one.address}: ${one.found === "removed" ? "no longer managed" : one.found}`;
  const { change } = createMoneyStyle(one.currency);
  return `monthly change ${change(one.found)}, allowed ${change(one.allowed)}`;
}
