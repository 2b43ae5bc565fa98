import { isPathSegment } from "../kernel/ids.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { Limit } from "../policy/model/policy.ts";
import type { PolicySource } from "../policy/model/situation.ts";
import type { CodePlace } from "../report/model/facts.ts";
import type { Report } from "../report/model/report.ts";
import { type Inline, parseLinkTarget } from "./escape.ts";
import type { Links } from "./sections/section.ts";

type GitHubLinks = Pick<Links, "github">;

/** The page with the full report; null: there is none, or its address is not safe. */
export const findDetailsAddress = ({ details }: Links): Inline | null =>
  details === null ? null : parseLinkTarget(details);

/** The address of a rule in its policy file; null: unknown, or no page shows it. */
export function findRuleAddress(
  evaluation: Pick<Evaluation, "policySources" | "rulePlaces">,
  links: GitHubLinks,
  rule: string,
): Inline | null {
  const place = evaluation.rulePlaces?.find((one) => one.rule === rule);
  return place === undefined ? null : findLineAddress(evaluation, links, place);
}

/** The address of a rule's explanation, as its policy file states it; null: none. */
export function findDocsAddress({ rulePlaces }: Pick<Evaluation, "rulePlaces">, rule: string): Inline | null {
  const docs = rulePlaces?.find((one) => one.rule === rule)?.docs;
  return docs === undefined ? null : parseLinkTarget(docs);
}

/** The address of a line in a policy file; `file` as in `PolicyProblem`. */
export function findLineAddress(
  { policySources }: Pick<Evaluation, "policySources">,
  links: GitHubLinks,
  { file, line }: { readonly file: string; readonly line: number },
): Inline | null {
  const source = policySources.find(({ repository, path }) => file === `${repository}:${path}`);
  return source?.commit === undefined ? null : findPolicyFileAddress(links, source, `#L${line}`);
}

/** The address of a policy file at its commit, or on its branch where the commit is unknown. */
export const findPolicyFileAddress = (
  { github }: GitHubLinks,
  { repository, path, ref, commit = ref }: PolicySource,
  fragment = "",
): Inline | null => formatPageAddress(github, `${repository}/blob/${commit}/${path}`, fragment);

/** The address of a commit of the pull request. */
export const findCommitAddress = (
  { pull }: Pick<Evaluation, "pull">,
  { github }: GitHubLinks,
): Inline | null => formatPageAddress(github, `${pull.repository}/commit/${pull.headSha}`);

/** The address of the description of a kind of rule; null: no page is served. */
export const findKindAddress = (policyPage: string | undefined, kind: Limit["kind"]): Inline | null =>
  policyPage === undefined ? null : parseLinkTarget(`${policyPage}#${ANCHORS[kind] ?? "limits"}`);

/** Headings of the policy reference for kinds with a heading of their own. */
const ANCHORS: Partial<Record<Limit["kind"], string>> = {
  ...{ when: "when", usage: "usage", budget: "budgets" },
  ...{ untagged: "tags", "untagged-cost": "tags" },
};

/** The address of a line of the code at the head; null: unknown. */
export const findPlaceAddress = (
  { pull }: Pick<Evaluation, "pull">,
  { github }: GitHubLinks,
  place: CodePlace | undefined | null,
): Inline | null =>
  place
    ? formatPageAddress(github, `${pull.repository}/blob/${pull.headSha}/${place.file}`, `#L${place.line}`)
    : null;

/**
 * Creates a function that finds where an item of a finding stands in the code: an address, alone or as `workspace: address`. Null: unknown,
 * or several places.
 */
export function createPlaceFinder({ resources, rows, stages }: Report): (item: string) => CodePlace | null {
  const places = new Map<string, CodePlace | null>();
  const add = (item: string, place: CodePlace): void => {
    const known = places.get(item);
    const isSame = known === undefined || (known?.file === place.file && known.line === place.line);
    places.set(item, isSame ? place : null);
  };
  const findings = stages.flatMap(({ workspace, estimatorFindings }) =>
    (estimatorFindings?.listed ?? []).flatMap(({ address, file, line }) =>
      address === null || file === null || line === null
        ? []
        : [{ workspace, address, place: { file, line } }],
    ),
  );
  for (const { workspace, address, place } of [...resources, ...rows, ...findings]) {
    if (place === undefined) continue;
    add(`${workspace}: ${address}`, place);
    add(address, place);
  }
  return (item) => places.get(item) ?? null;
}

/** The address of an execution's page on the platform. */
export function findExecutionAddress({ stages }: Report, executionId: string): Inline | null {
  const page = stages.find((one) => one.executionId === executionId)?.executionPage;
  return page === undefined ? null : parseLinkTarget(page);
}

/**
 * The address of a page on GitHub; null for an unsafe path. Names of branches and files may contain any
 * characters, so each segment is percent-encoded.
 */
function formatPageAddress(github: string | undefined, path: string, fragment = ""): Inline | null {
  const segments = path.split("/");
  if (github === undefined || !segments.every(isPathSegment)) return null;
  return parseLinkTarget(`${github}/${segments.map(encodeURIComponent).join("/")}${fragment}`);
}
