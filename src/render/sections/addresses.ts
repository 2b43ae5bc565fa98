import { isPathSegment } from "../../kernel/ids.ts";
import type { Limit } from "../../policy/model/policy.ts";
import type { PolicySource } from "../../policy/model/situation.ts";
import { type Inline, linkTarget } from "../markup/escape.ts";
import type { Subject } from "./section.ts";

/** Where a rule stands in its policy file; null: that is not known, or no page shows it. */
export function ruleAddress(subject: Subject, rule: string): Inline | null {
  const place = subject.evaluation.rulePlaces?.find((one) => one.rule === rule);
  return place === undefined ? null : lineAddress(subject, place);
}

/** A line of a policy file, which is named as a `PolicyProblem` names it. */
export function lineAddress(
  subject: Subject,
  { file, line }: { readonly file: string; readonly line: number },
): Inline | null {
  const { policySources } = subject.evaluation;
  const source = policySources.find(({ repository, path }) => file === `${repository}:${path}`);
  return source?.commit === undefined ? null : policyFileAddress(subject, source, `#L${line}`);
}

/** A policy file as it was read, or as its branch has it now where the commit is not known. */
export const policyFileAddress = (
  { links }: Subject,
  { repository, path, ref, commit = ref }: PolicySource,
  fragment = "",
): Inline | null => formatPageAddress(links.github, `${repository}/blob/${commit}/${path}`, fragment);

/** A commit of the pull request. */
export const commitAddress = ({ links, evaluation }: Subject, sha: string): Inline | null =>
  formatPageAddress(links.github, `${evaluation.pull.repository}/commit/${sha}`);

/** Where a kind of rule is described; null: no page is served. */
export const kindAddress = ({ links }: Subject, kind: Limit["kind"]): Inline | null =>
  links.policyPage === undefined ? null : linkTarget(`${links.policyPage}#${ANCHORS[kind] ?? "limits"}`);

/** Headings of the policy reference for kinds that have one of their own. */
const ANCHORS: Partial<Record<Limit["kind"], string>> = { when: "when", usage: "usage", budget: "budgets" };

/** The page of an execution on the platform. */
export function executionAddress({ evaluation }: Subject, executionId: string): Inline | null {
  const stage = evaluation.report.stages.find((one) => one.executionId === executionId);
  return stage?.executionPage === undefined ? null : linkTarget(stage.executionPage);
}

/** Names of branches and files may hold anything: none of their signs is left to act in an address. */
function formatPageAddress(github: string | null, path: string, fragment = ""): Inline | null {
  const segments = path.split("/");
  if (github === null || !segments.every(isPathSegment)) return null;
  return linkTarget(`${github}/${segments.map(encodeURIComponent).join("/")}${fragment}`);
}
