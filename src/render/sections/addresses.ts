import { isPathSegment } from "../../kernel/ids.ts";
import type { Limit } from "../../policy/model/policy.ts";
import type { PolicySource } from "../../policy/model/situation.ts";
import { type Inline, parseLinkTarget } from "../markup/escape.ts";
import type { Subject } from "./section.ts";

/** The address of a rule in its policy file; null: unknown, or no page shows it. */
export function findRuleAddress(subject: Subject, rule: string): Inline | null {
  const place = subject.evaluation.rulePlaces?.find((one) => one.rule === rule);
  return place === undefined ? null : findLineAddress(subject, place);
}

/** The address of a line in a policy file; `file` as in `PolicyProblem`. */
export function findLineAddress(
  subject: Subject,
  { file, line }: { readonly file: string; readonly line: number },
): Inline | null {
  const { policySources } = subject.evaluation;
  const source = policySources.find(({ repository, path }) => file === `${repository}:${path}`);
  return source?.commit === undefined ? null : findPolicyFileAddress(subject, source, `#L${line}`);
}

/** The address of a policy file at its commit, or on its branch where the commit is unknown. */
export const findPolicyFileAddress = (
  { links }: Subject,
  { repository, path, ref, commit = ref }: PolicySource,
  fragment = "",
): Inline | null => formatPageAddress(links.github, `${repository}/blob/${commit}/${path}`, fragment);

/** The address of a commit of the pull request. */
export const findCommitAddress = ({ links, evaluation }: Subject, sha: string): Inline | null =>
  formatPageAddress(links.github, `${evaluation.pull.repository}/commit/${sha}`);

/** The address of the description of a kind of rule; null: no page is served. */
export const findKindAddress = ({ links }: Subject, kind: Limit["kind"]): Inline | null =>
  links.policyPage === undefined ? null : parseLinkTarget(`${links.policyPage}#${ANCHORS[kind] ?? "limits"}`);

/** Headings of the policy reference for kinds with a heading of their own. */
const ANCHORS: Partial<Record<Limit["kind"], string>> = { when: "when", usage: "usage", budget: "budgets" };

/** The address of an execution's page on the platform. */
export function findExecutionAddress({ evaluation }: Subject, executionId: string): Inline | null {
  const stage = evaluation.report.stages.find((one) => one.executionId === executionId);
  return stage?.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
}

/**
 * The address of a page on GitHub; null for an unsafe path. Names of branches and files may contain any
 * characters, so each segment is percent-encoded.
 */
function formatPageAddress(github: string | null, path: string, fragment = ""): Inline | null {
  const segments = path.split("/");
  if (github === null || !segments.every(isPathSegment)) return null;
  return parseLinkTarget(`${github}/${segments.map(encodeURIComponent).join("/")}${fragment}`);
}
