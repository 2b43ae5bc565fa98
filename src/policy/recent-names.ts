import { z } from "zod";
import { texts, type ValueOf } from "../kernel/schemas.ts";
import { suggestChoice } from "../kernel/suggest.ts";
import type { StageReport } from "../report/model/report.ts";
import { listUnseenDoubts } from "../report/totals.ts";
import type { PolicyPattern } from "./file/policy-patterns.ts";
import type { Evaluation } from "./model/evaluation.ts";
import type { StageNaming } from "./model/policy.ts";
import {
  createPartNames,
  createPatternMatcher,
  createStageNamer,
  limitNames,
  parseProvider,
  toPatternPath,
} from "./scope/scope.ts";

/** Names in recent pull requests of a repository, and the number of pull requests whose names are all known. Not escaped. */
const NameList = z.object({ names: texts, pulls: z.number() });
type NameList = ValueOf<typeof NameList>;

/** Names in the recent pull requests of a repository, for checking the patterns of a policy. */
export const RecentNames = z.object({ workspaces: NameList, modules: NameList, resourceTypes: NameList });
type RecentNames = ValueOf<typeof RecentNames>;

type RecentPull = Pick<Evaluation, "report" | "context">;

/** Collects the names in evaluations, and the number of evaluations whose names of a kind are all known. */
export function collectRecentNames(pulls: readonly RecentPull[]): RecentNames {
  const all = pulls.map(collectNames);
  const buildList = (kind: keyof RecentNames): NameList => ({
    names: [...new Set(all.flatMap((own) => own[kind]))].filter((name) => name !== "").sort(),
    pulls: all.filter((own) => own.complete[kind]).length,
  });
  return {
    workspaces: buildList("workspaces"),
    modules: buildList("modules"),
    resourceTypes: buildList("resourceTypes"),
  };
}

/** The names in one evaluation, and whether they are all. */
function collectNames({ report, context }: RecentPull) {
  const { stages, refused } = report;
  const partNames = createPartNames(report);
  const read = stages.filter((stage) => stage.isUnread !== true);
  const resourceTypes = partNames.listResourceTypes(stages);
  const isWhole =
    stages.length > 0 && read.length === stages.length && listUnseenDoubts(refused).length === 0;
  const isListed = ({ omittedRows, unreadRows }: StageReport) => omittedRows + unreadRows === 0;
  const isRead = (stage: StageReport) => stage.rowsBecause === null && isListed(stage);
  return {
    // Workspaces of the repository with a known cost that the pull request does not touch are included.
    workspaces: [...read, ...(context.budgetUse?.workspaces ?? [])].map(({ workspace }) => workspace),
    modules: partNames.listModules(stages),
    resourceTypes,
    complete: {
      workspaces: isWhole,
      modules: isWhole && stages.every((stage) => stage.modules !== null || isRead(stage)),
      resourceTypes:
        isWhole &&
        stages.every((stage) => isListed(stage) && (stage.types !== null || isRead(stage))) &&
        !resourceTypes.includes(""),
    },
  };
}

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
  { workspaces, modules, resourceTypes }: RecentNames,
  stages: readonly StageNaming[],
): readonly UnmatchedPattern[] {
  const lists: { readonly [member in PolicyPattern["member"]]: NameList } = {
    stages: mapNames(workspaces, createStageNamer(stages)),
    workspaces,
    modules: mapNames(modules, toPatternPath),
    resource_types: resourceTypes,
    providers: mapNames(resourceTypes, parseProvider),
  };
  return patterns.flatMap((entry) => {
    const { names, pulls } = lists[entry.member];
    if (pulls === 0 || names.some(createPatternMatcher(entry.member, [entry.pattern]))) return [];
    const { here: there, more } = limitNames(names);
    return [{ ...entry, pulls, there, more, meant: suggestChoice(entry.pattern, names) }];
  });
}

const mapNames = ({ names, pulls }: NameList, write: (name: string) => string): NameList => ({
  names: [...new Set(names.map(write))].sort(),
  pulls,
});
