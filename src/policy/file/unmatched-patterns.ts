import { compileGlob } from "../../kernel/glob.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import type { PartMember } from "../model/finding.ts";
import type { StageNaming } from "../model/policy.ts";
import type { NameList, RecentNames } from "../scope/recent-names.ts";
import { createProviderMatcher, parseProvider, toModulePattern, toPatternPath } from "../scope/scope.ts";
import { createStageNamer } from "../scope/stage-names.ts";
import type { PolicyPattern } from "./policy-patterns.ts";

/** Names that are listed. */
const MAX_NAMES = 10;

/** A pattern that matches nothing of the recent pull requests. */
export interface UnmatchedPattern extends PolicyPattern {
  /** Number of pull requests for which this is known: at least 1. */
  readonly pulls: number;
  /** Names that they have instead, at most 10, and the number of further names. Not escaped. */
  readonly there: readonly string[];
  readonly more: number;
  /** The name there that the pattern is probably a misspelling of; null: none is near. */
  readonly meant: string | null;
}

/** Finds patterns that match nothing of recent pull requests. `stages`: the policy's names for stages. */
export function findUnmatchedPatterns(
  patterns: readonly PolicyPattern[],
  recent: RecentNames,
  stages: readonly StageNaming[],
): readonly UnmatchedPattern[] {
  const lists = buildNameLists(recent, stages);
  return patterns.flatMap((entry) => {
    const { names, pulls } = lists[entry.member];
    if (pulls === 0 || names.some(createPatternMatcher(entry))) return [];
    const [there, more] = [names.slice(0, MAX_NAMES), Math.max(0, names.length - MAX_NAMES)];
    return [{ ...entry, pulls, there, more, meant: suggestChoice(entry.pattern, names) }];
  });
}

function buildNameLists(
  { workspaces, modules, resourceTypes }: RecentNames,
  stages: readonly StageNaming[],
): { readonly [member in PartMember]: NameList } {
  return {
    stages: mapNames(workspaces, createStageNamer(stages)),
    workspaces,
    modules: mapNames(modules, toPatternPath),
    resource_types: resourceTypes,
    providers: mapNames(resourceTypes, parseProvider),
  };
}

const mapNames = ({ names, pulls }: NameList, write: (name: string) => string): NameList => ({
  names: [...new Set(names.map(write))].sort(),
  pulls,
});

function createPatternMatcher({ member, pattern }: PolicyPattern): (name: string) => boolean {
  if (member === "providers") return createProviderMatcher([pattern]);
  return compileGlob(member === "modules" ? toModulePattern(pattern) : pattern) ?? (() => false);
}
