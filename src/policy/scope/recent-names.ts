import { listUnseenDoubts } from "../../report/cost/totals.ts";
import type { StageReport } from "../../report/model/report.ts";
import type { Evaluation } from "../model/evaluation.ts";
import { createPartNames } from "./part-names.ts";
import { isStageUnread } from "./scope.ts";

/** Names in recent pull requests of a repository. Not escaped. */
export interface NameList {
  readonly names: readonly string[];
  /** Number of pull requests whose names are all known. */
  readonly pulls: number;
}

/** Names in the recent pull requests of a repository, for checking the patterns of a policy. */
export interface RecentNames {
  readonly workspaces: NameList;
  readonly modules: NameList;
  readonly resourceTypes: NameList;
}

/** Collects the names in evaluations, and the number of evaluations whose names of a kind are all known. */
export function collectRecentNames(pulls: readonly RecentPull[]): RecentNames {
  return {
    workspaces: buildNameList(pulls.map(collectWorkspaces)),
    modules: buildNameList(pulls.map(collectModules)),
    resourceTypes: buildNameList(pulls.map(collectTypes)),
  };
}

type RecentPull = Pick<Evaluation, "report" | "context">;

interface NameCollection {
  readonly names: readonly string[];
  /** False: there may be further names. */
  readonly isWhole: boolean;
}

const buildNameList = (all: readonly NameCollection[]): NameList => ({
  names: [...new Set(all.flatMap(({ names }) => names))].filter((name) => name !== "").sort(),
  pulls: all.filter(({ isWhole }) => isWhole).length,
});

/** Includes workspaces of the repository with a known cost that the pull request does not touch. */
function collectWorkspaces({ report: { stages, refused }, context }: RecentPull): NameCollection {
  const read = stages.filter((stage) => !isStageUnread(stage)).map(({ workspace }) => workspace);
  return {
    names: [...read, ...(context.budgetUse?.workspaces.map(({ workspace }) => workspace) ?? [])],
    isWhole: stages.length > 0 && read.length === stages.length && listUnseenDoubts(refused).length === 0,
  };
}

function collectModules(pull: RecentPull): NameCollection {
  const { stages } = pull.report;
  return {
    names: createPartNames(pull.report).listModules(stages),
    isWhole:
      collectWorkspaces(pull).isWhole &&
      stages.every((stage) => stage.modules !== null || hasKnownRows(stage)),
  };
}

function collectTypes(pull: RecentPull): NameCollection {
  const { stages } = pull.report;
  const names = createPartNames(pull.report).listResourceTypes(stages);
  const areTypesKnown = stages.every(
    (stage) => hasAllRows(stage) && (stage.types !== null || hasKnownRows(stage)),
  );
  return { names, isWhole: collectWorkspaces(pull).isWhole && areTypesKnown && !names.includes("") };
}

const hasKnownRows = (stage: StageReport): boolean => stage.rowsBecause === null && hasAllRows(stage);

const hasAllRows = ({ omittedRows, unreadRows }: StageReport): boolean => omittedRows + unreadRows === 0;
