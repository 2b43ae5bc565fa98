import { assembleReport } from "./build.ts";
import { KNOWN, type Standing, worstOf } from "./cost-state.ts";
import type { Amounts, ChangeCounts, ChangeKind } from "./facts.ts";
import type { Report, ReportedRow, ResourceReport, StageReport } from "./report.ts";
import { stageKey } from "./stage-label.ts";
import { isRounding, isStatedInFull, restOf, sumOf } from "./sums.ts";

/** A part of a stage as a scope sees it; null where the parts at hand do not tell. */
export interface PartName {
  readonly module: string | null;
  readonly type: string | null;
}

/** What of a stage is looked at: all of it, nothing, or the modules or resource types that match. */
export type StageChoice =
  | "all"
  | "none"
  | { readonly by: "module" | "type" | "both"; matches(part: PartName): boolean };

/** The same report as if there were nothing but the chosen stages and parts of them. */
export function narrowReport(report: Report, choose: (stage: StageReport) => StageChoice): Report {
  const choices = new Map(report.stages.map((stage) => [stageKey(stage), choose(stage)]));
  if ([...choices.values()].every((choice) => choice === "all")) return report;
  const holds = (part: ResourceReport | ReportedRow): boolean => {
    const choice = choices.get(part.stage);
    return typeof choice === "object" ? choice.matches(part) : choice === "all";
  };
  const rows = report.rows.filter(holds);
  const resources = report.resources.filter(holds);
  const stages = report.stages.flatMap((stage): readonly StageReport[] => {
    const choice = choices.get(stageKey(stage));
    if (choice === undefined || choice === "none") return [];
    return [choice === "all" ? stage : narrowStage(stage, choice, { rows, resources })];
  });
  return assembleReport({ ...report, stages, resources, rows });
}

type PartChoice = Exclude<StageChoice, string>;
type Held = Pick<Report, "rows" | "resources">;

/** The stage with the amounts and counts of its chosen parts alone. */
function narrowStage(stage: StageReport, choice: PartChoice, held: Held): StageReport {
  const key = stageKey(stage);
  const rows = held.rows.filter((row) => row.stage === key);
  const resources = held.resources.filter((resource) => resource.stage === key);
  return {
    ...stage,
    ...costOf(stage, choice, resources),
    modules: modulesOf(stage, choice),
    types: typesOf(stage, choice),
    counts: stage.counts === null ? null : countsOf(rows),
    countsBecause: stage.countsBecause ?? stage.rowsBecause ?? (stage.omittedRows > 0 ? "too_large" : null),
    unpriced: unpricedOf(stage, choice),
  };
}

/** Modules and types cross each other: of a choice by both, neither has a line of its own. */
const modulesOf = ({ modules }: StageReport, { by, matches }: PartChoice): StageReport["modules"] =>
  by === "type"
    ? modules
    : by === "both"
      ? null
      : (modules?.filter(({ module }) => matches({ module, type: null })) ?? null);

const typesOf = ({ types }: StageReport, { by, matches }: PartChoice): StageReport["types"] =>
  by === "module"
    ? types
    : by === "both"
      ? null
      : (types?.filter(({ type }) => matches({ module: null, type })) ?? null);

/** What the chosen parts cost. Where the parts leave some of the stage's change unexplained, it may be theirs. */
function costOf(stage: StageReport, choice: PartChoice, resources: readonly ResourceReport[]) {
  const told = partsOf(stage, choice);
  if (told === null || stage.currency === null) {
    const because = stage.modulesBecause ?? stage.because[0] ?? "not_stated";
    return { ...NOTHING, state: "unknown", because: [because] } as const;
  }
  const chosen = choice.by === "both" ? resources : told.filter(({ chosen: isChosen }) => isChosen);
  const standing = worstOf([
    stage,
    ...doubtsOf(stage, choice),
    ...chosen.map(standingOf),
    restStanding(stage, told),
  ]);
  return { ...sumOf(chosen), ...standing };
}

const NOTHING: Amounts = { previous: null, current: null, change: null, percent: null };

interface ToldPart extends Amounts {
  readonly chosen: boolean;
}

function partsOf(stage: StageReport, { by, matches }: PartChoice): readonly ToldPart[] | null {
  if (by !== "module")
    return (
      stage.types?.map((part) => ({ ...part, chosen: matches({ module: null, type: part.type }) })) ?? null
    );
  return (
    stage.modules?.map((part) => ({ ...part, chosen: matches({ module: part.module, type: null }) })) ?? null
  );
}

const doubtsOf = ({ modulesBecause }: StageReport, { by }: PartChoice): readonly Standing[] =>
  by === "module" && modulesBecause !== null ? [{ state: "unknown", because: [modulesBecause] }] : [];

const standingOf = (part: Amounts): Standing =>
  isStatedInFull(part) ? KNOWN : { state: "partial", because: ["not_stated"] };

function restStanding(stage: StageReport, told: readonly ToldPart[]): Standing {
  return isRounding(restOf(stage, sumOf(told)).change)
    ? KNOWN
    : { state: "partial", because: ["not_stated"] };
}

/** Created, changed and unchanged resources are not counted part by part: no rule may ask for them in a part. */
function countsOf(rows: readonly ReportedRow[]): ChangeCounts {
  const count = (...kinds: readonly ChangeKind[]) =>
    rows.filter(({ change }) => kinds.includes(change)).length;
  return {
    added: count("added", "replaced"),
    changed: count("changed"),
    deleted: count("deleted", "replaced"),
    replaced: count("replaced"),
    imported: count("imported"),
    removed: count("removed"),
    unchanged: 0,
    drifted: count("drifted"),
  };
}

function unpricedOf({ unpriced }: StageReport, { by, matches }: PartChoice): StageReport["unpriced"] {
  if (unpriced === null || by !== "type") return null;
  const types = Object.entries(unpriced.types).filter(([type]) => matches({ module: null, type }));
  return { types: Object.fromEntries(types), count: types.reduce((sum, [, count]) => sum + count, 0) };
}
