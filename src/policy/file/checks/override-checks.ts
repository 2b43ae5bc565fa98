import { readMember } from "../text/member.ts";
import { type FileProblem, formatPath } from "../text/text-position.ts";
import type { YamlTree } from "../text/yaml-tree.ts";
import type { OrganisationConstraints } from "./rule-checks.ts";

const KEY = "override";

/**
 * Finds problems of a repository's `override`. An override passes over every rule, so a repository that chose who may override could
 * loosen the organisation's mandatory rules.
 */
export function findOverrideFlaws(
  tree: YamlTree,
  { isOverrideMandatory, mandatory }: OrganisationConstraints,
): readonly FileProblem[] {
  const own = readMember(tree.value, KEY);
  if (own === undefined) return [];
  const flaws: FileProblem[] = [];
  if (isOverrideMandatory || mandatory.size > 0) {
    const why = isOverrideMandatory
      ? "the organisation's file decides who may override"
      : "the organisation's file has mandatory rules, so it decides who may override";
    flaws.push({ ...tree.findKeyPosition([], KEY), path: KEY, message: `${why}; remove it` });
  }
  if (readMember(own, "mandatory") !== undefined) {
    const path = formatPath([KEY, "mandatory"]);
    const message = "is for the organisation's file only; remove it";
    flaws.push({ ...tree.findKeyPosition([KEY], "mandatory"), path, message });
  }
  return flaws;
}
