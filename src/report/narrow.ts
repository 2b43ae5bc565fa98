import { assembleReport } from "./build.ts";
import type { ChangeCounts, ChangeKind, CostDelta } from "./model/facts.ts";
import { deriveModulePath } from "./model/module-path.ts";
import type { Report, ReportedRow, ResourceReport, StageReport } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { countResourcesAfter } from "./stages.ts";
import {
  type CostConfidence,
  combineConfidence,
  isRounding,
  isStatedInFull,
  KNOWN_CONFIDENCE,
  subtractParts,
  sumDeltas,
  UNKNOWN_DELTA,
} from "./totals.ts";
import { countStageUsage } from "./usage.ts";

/** A part of a stage as a scope matches it; a member is null where it is unknown. */
export interface StagePart {
  readonly module: string | null;
  readonly type: string | null;
}

/** The selected part of a stage: all of it, nothing, or the modules or resource types that match. */
export type StageChoice =
  | "all"
  | "none"
  | { readonly by: "module" | "type" | "both"; isMatch(part: StagePart): boolean };

/** Returns the report with only the selected stages and parts of them. */
export function narrowReport(report: Report, choose: (stage: StageReport) => StageChoice): Report {
  const choices = new Map(report.stages.map((stage) => [buildStageKey(stage), choose(stage)]));
  if ([...choices.values()].every((choice) => choice === "all")) return report;
  const holds = (part: ResourceReport | ReportedRow): boolean => {
    const choice = choices.get(part.stage);
    return typeof choice === "object" ? choice.isMatch(part) : choice === "all";
  };
  const resources = report.resources.filter(holds);
  const rows = report.rows.filter(holds);
  const contents = {
    all: groupByStage(report.resources),
    resources: groupByStage(resources),
    rows: groupByStage(rows),
  };
  const stages = report.stages.flatMap((stage): readonly StageReport[] => {
    const key = buildStageKey(stage);
    const choice = choices.get(key);
    if (choice === undefined || choice === "none") return [];
    if (choice === "all") return [stage];
    const held = {
      all: contents.all.get(key) ?? [],
      resources: contents.resources.get(key) ?? [],
      rows: contents.rows.get(key) ?? [],
    };
    return [narrowStage(stage, choice, held)];
  });
  const { refused, context } = report;
  return assembleReport({ stages, refused, context, resources, rows });
}

const groupByStage = <T extends { readonly stage: string }>(
  parts: readonly T[],
): ReadonlyMap<string, readonly T[]> => Map.groupBy(parts, ({ stage }) => stage);

type PartChoice = Exclude<StageChoice, string>;

/** What a stage contains. */
interface StageContents {
  readonly all: readonly ResourceReport[];
  /** The selected ones of `all`. */
  readonly resources: readonly ResourceReport[];
  /** The selected rows. */
  readonly rows: readonly ReportedRow[];
}

/** Returns the stage with the amounts and counts of its selected parts. */
function narrowStage(stage: StageReport, choice: PartChoice, contents: StageContents): StageReport {
  const parts = listParts(stage, choice);
  const rest = parts === null ? null : subtractParts(stage, sumDeltas(parts));
  return {
    ...stage,
    ...narrowCost(stage, choice, { parts, rest, contents }),
    modules: choice.by === "module" ? selectChosen(stage.modules, parts) : null,
    types: choice.by === "type" ? selectChosen(stage.types, parts) : null,
    narrowed: buildNarrowing(stage, choice, rest),
    counts: stage.counts === null ? null : countRows(contents.rows),
    countsBecause: stage.countsBecause ?? stage.rowsBecause ?? (stage.omittedRows > 0 ? "too_large" : null),
    unpriced: narrowUnpriced(stage, choice),
    ...narrowUsage(stage, choice),
    ...narrowInvocations(stage, choice),
  };
}

/**
 * Modules and types overlap: when one of them is selected, the lines of the other include unselected
 * resources.
 */
const selectChosen = <T>(
  parts: readonly T[] | null,
  breakdown: readonly BreakdownPart[] | null,
): readonly T[] | null => parts?.filter((_, index) => breakdown?.[index]?.isChosen === true) ?? null;

/**
 * Unchanged resources are in no type, and perhaps in no module. The costs before and after of a part are then
 * unknown.
 */
function buildNarrowing(
  stage: StageReport,
  choice: PartChoice,
  rest: CostDelta | null,
): StageReport["narrowed"] {
  const isTold = rest !== null && isRounding(rest.after);
  const amountsAreWhole = choice.by !== "both" && isTold && stage.narrowed?.amountsAreWhole !== false;
  return { amountsAreWhole, resources: stage.narrowed?.resources ?? countResourcesAfter(stage.counts) };
}

/** The cost of the selected parts. An unexplained rest of the stage's change may belong to them. */
function narrowCost(stage: StageReport, choice: PartChoice, { parts, rest, contents }: StageBreakdown) {
  if (parts === null || rest === null || stage.currency === null) {
    const because = stage.modulesBecause ?? stage.because[0] ?? "not_stated";
    return { ...UNKNOWN_DELTA, state: "unknown", because: [because] } as const;
  }
  const chosenParts = choice.by === "both" ? contents.resources : parts.filter(({ isChosen }) => isChosen);
  const confidence = combineConfidence([
    stage,
    ...listDoubts(stage, choice),
    ...chosenParts.map(findConfidence),
    findRestConfidence(rest),
    ...(choice.by === "both" ? [findRestConfidence(subtractParts(stage, sumDeltas(contents.all)))] : []),
  ]);
  return { ...sumDeltas(chosenParts), ...confidence };
}

/** The stated parts of a stage, and its resources. */
interface StageBreakdown {
  readonly parts: readonly BreakdownPart[] | null;
  /** The part of the stage's amounts beyond the stated parts. */
  readonly rest: CostDelta | null;
  readonly contents: StageContents;
}

interface BreakdownPart extends CostDelta {
  readonly isChosen: boolean;
}

const listParts = (stage: StageReport, { by, isMatch }: PartChoice): readonly BreakdownPart[] | null =>
  (by === "module"
    ? stage.modules?.map((part) => ({ ...part, isChosen: isMatch({ module: part.module, type: null }) }))
    : stage.types?.map((part) => ({ ...part, isChosen: isMatch({ module: null, type: part.type }) }))) ??
  null;

function listDoubts(
  { modules, modulesBecause, currency }: StageReport,
  { by }: PartChoice,
): readonly CostConfidence[] {
  if (by !== "module") return [];
  if (modulesBecause !== null) return [{ state: "unknown", because: [modulesBecause] }];
  return modules?.every((module) => module.currency === currency) === true ? [] : [OTHER_CURRENCY];
}

/** Amounts of different currencies are never added. */
const OTHER_CURRENCY: CostConfidence = { state: "inconsistent", because: [] };

const findConfidence = (part: CostDelta): CostConfidence =>
  isStatedInFull(part) ? KNOWN_CONFIDENCE : { state: "partial", because: ["not_stated"] };

const findRestConfidence = ({ change }: CostDelta): CostConfidence =>
  isRounding(change) ? KNOWN_CONFIDENCE : { state: "partial", because: ["not_stated"] };

/**
 * Counts of the selected rows. Added, changed and unchanged resources are not counted per part: no rule may
 * ask for these counts in a part.
 */
function countRows(rows: readonly ReportedRow[]): ChangeCounts {
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

/** Unnamed usage-based resources may be in any part. */
function narrowUsage({ usageBased }: StageReport, { isMatch: matches }: PartChoice) {
  if (usageBased === undefined) return {};
  const resources = usageBased.resources.filter(({ address, type }) =>
    matches({ module: deriveModulePath(address), type }),
  );
  const own = { ...usageBased, resources };
  return { usageBased: own, usage: countStageUsage(own) };
}

/** Those that are not listed may be in any part. */
function narrowInvocations({ planNotes }: StageReport, { isMatch: matches }: PartChoice) {
  if (planNotes === undefined) return {};
  const { listed, more } = planNotes.invocations;
  return { planNotes: { ...planNotes, invocations: { listed: listed.filter(matches), more } } };
}

function narrowUnpriced(
  { unpriced }: StageReport,
  { by, isMatch: matches }: PartChoice,
): StageReport["unpriced"] {
  if (unpriced === null || by !== "type") return null;
  const types = Object.entries(unpriced.types).filter(([type]) => matches({ module: null, type }));
  return { types: Object.fromEntries(types), count: types.reduce((sum, [, count]) => sum + count, 0) };
}
