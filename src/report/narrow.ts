import { ZERO } from "../kernel/money.ts";
import type { StatedTags } from "../kernel/resource-tags.ts";
import { assembleReport } from "./build.ts";
import type { ChangeCounts, ChangeKind, CostDelta, UnknownReason } from "./model/facts.ts";
import { deriveModulePath } from "./model/module-path.ts";
import type { Report, ReportedRow, ResourceReport, StageReport } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { countResourcesAfter } from "./stages.ts";
import { listTagSides, type TagSide, takeSide, toUnchangedDelta } from "./tags.ts";
import {
  type CostConfidence,
  combineConfidence,
  isRounding,
  isStatedInFull,
  KNOWN_CONFIDENCE,
  OTHER_CURRENCY,
  subtractParts,
  sumDeltas,
  UNKNOWN_DELTA,
} from "./totals.ts";
import { countStageUsage } from "./usage.ts";

/** A part of a stage as a scope matches it; a member is null where it is unknown. */
export interface StagePart {
  readonly module: string | null;
  readonly type: string | null;
  /** Absent: unknown. */
  readonly tags?: StatedTags;
}

/** The selected part of a stage: all of it, nothing, or the modules, resource types or tags that match. */
export type StageChoice = "all" | "none" | PartChoice;

interface PartChoice {
  /** `tag`: by tags, and perhaps by modules and types too. */
  readonly by: "module" | "type" | "both" | "tag";
  /** `side`: whose tags count; only `tag` distinguishes them. */
  isMatch(part: StagePart, side?: TagSide): boolean;
  /** Whether a part matches depends on an unknown tag. */
  isUnsure?(part: StagePart, side: TagSide): boolean;
}

/** Returns the report with only the selected stages and parts of them. */
export function narrowReport(report: Report, choose: (stage: StageReport) => StageChoice): Report {
  const choices = new Map(report.stages.map((stage) => [buildStageKey(stage), choose(stage)]));
  if ([...choices.values()].every((choice) => choice === "all")) return report;
  const resources = report.resources.flatMap((one) => {
    const choice = choices.get(one.stage);
    if (typeof choice !== "object") return choice === "all" ? [one] : [];
    const cost = sumChosen(divide(one, choice, one));
    return cost === null ? [] : [cost === one ? one : { ...one, ...cost }];
  });
  const rows = report.rows.filter((row) => {
    const choice = choices.get(row.stage);
    return typeof choice === "object" ? isHeld(row, choice) : choice === "all";
  });
  const contents = {
    all: groupByStage(report.resources),
    resources: groupByStage(resources),
    rows: groupByStage(rows),
    allRows: groupByStage(report.rows),
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
      allRows: contents.allRows.get(key) ?? [],
    };
    return [narrowStage(stage, choice, held)];
  });
  const { refused, context } = report;
  return assembleReport({ stages, refused, context, resources, rows });
}

const groupByStage = <T extends { readonly stage: string }>(
  parts: readonly T[],
): ReadonlyMap<string, readonly T[]> => Map.groupBy(parts, ({ stage }) => stage);

const isHeld = (part: StagePart, choice: PartChoice): boolean =>
  listTagSides(part.tags).some((side) => choice.isMatch(part, side));

/** Divides a cost between what is chosen and what is not: a resource may have other tags afterwards. */
function divide(part: StagePart, choice: PartChoice, cost: CostDelta): readonly BreakdownPart[] {
  const sides = choice.by === "tag" ? listTagSides(part.tags) : (["after"] as const);
  const parts = sides.map((side) => ({
    side,
    isChosen: choice.isMatch(part, side),
    isUnsure: choice.isUnsure?.(part, side) === true,
  }));
  const [first, second] = parts;
  if (first === undefined) return [];
  return second === undefined || (first.isChosen === second.isChosen && first.isUnsure === second.isUnsure)
    ? [{ ...first, cost }]
    : parts.map((own) => ({ ...own, cost: takeSide(cost, own.side) }));
}

/** The chosen part of a divided cost; null: nothing of it is chosen. */
const sumChosen = (parts: readonly BreakdownPart[]): CostDelta | null => {
  const chosen = parts.filter(({ isChosen }) => isChosen);
  return chosen.length > 1 ? sumDeltas(chosen.map(({ cost }) => cost)) : (chosen[0]?.cost ?? null);
};

interface StageContents {
  readonly all: readonly ResourceReport[];
  /** The selected ones of `all`. */
  readonly resources: readonly ResourceReport[];
  readonly allRows: readonly ReportedRow[];
  /** The selected ones of them. */
  readonly rows: readonly ReportedRow[];
}

function narrowStage(stage: StageReport, choice: PartChoice, contents: StageContents): StageReport {
  const parts = listParts(stage, choice, contents);
  const rest = parts === null ? null : subtractParts(stage, sumDeltas(parts.map(({ cost }) => cost)));
  const rowsBecause = stage.rowsBecause ?? findRowsDoubt(choice, contents);
  return {
    ...stage,
    ...narrowCost(stage, choice, { parts, rest, contents }),
    modules: choice.by === "module" ? selectChosen(stage.modules, parts) : null,
    types: choice.by === "type" ? selectChosen(stage.types, parts) : null,
    narrowed: buildNarrowing(stage, choice, { parts, rest }),
    counts: stage.counts === null ? null : countRows(contents.rows),
    countsBecause:
      stage.countsBecause ?? rowsBecause ?? (stage.omittedRows > 0 ? ("too_large" as const) : null),
    rowsBecause,
    unpriced: narrowUnpriced(stage, choice),
    ...(stage.unchanged && { unchanged: stage.unchanged.filter((part) => isHeld(part, choice)) }),
    ...narrowUsage(stage, choice, contents),
    ...narrowInvocations(stage, choice),
  };
}

/** Rows of unknown tags are among the selected ones, or are not. */
const findRowsDoubt = (choice: PartChoice, { allRows }: StageContents): UnknownReason | null =>
  allRows.some((row) => isUnsure(row, choice)) ? "tags_unknown" : null;

const isUnsure = (part: StagePart, choice: PartChoice): boolean =>
  listTagSides(part.tags).some((side) => choice.isUnsure?.(part, side) === true);

/**
 * Modules and types overlap: when one of them is selected, the lines of the other include unselected
 * resources.
 */
const selectChosen = <T>(
  parts: readonly T[] | null,
  breakdown: readonly BreakdownPart[] | null,
): readonly T[] | null => parts?.filter((_, index) => breakdown?.[index]?.isChosen === true) ?? null;

/**
 * Unchanged resources are in no type, perhaps in no module, and not always listed with their tags. The costs before and after of a part
 * are then unknown.
 */
function buildNarrowing(
  stage: StageReport,
  choice: PartChoice,
  { parts, rest }: Pick<StageBreakdown, "parts" | "rest">,
): StageReport["narrowed"] {
  const isSure = parts?.every((part) => part.isUnsure !== true || part.cost.after === ZERO) === true;
  const isDivided = rest !== null && isRounding(rest.after) && isSure;
  const amountsAreWhole = choice.by !== "both" && isDivided && stage.narrowed?.amountsAreWhole !== false;
  return { amountsAreWhole, resources: stage.narrowed?.resources ?? countResourcesAfter(stage.counts) };
}

/** The cost of the selected parts. An unexplained rest of the stage's change may belong to them. */
function narrowCost(stage: StageReport, choice: PartChoice, { parts, rest, contents }: StageBreakdown) {
  if (parts === null || rest === null || stage.currency === null) {
    const because = stage.modulesBecause ?? stage.because[0] ?? "not_stated";
    return { ...UNKNOWN_DELTA, state: "unknown", because: [because] } as const;
  }
  const chosenParts =
    choice.by === "both"
      ? contents.resources
      : parts.filter(({ isChosen }) => isChosen).map(({ cost }) => cost);
  const unsure = parts.filter((part) => part.isUnsure === true && part.cost.change !== ZERO);
  const confidence = combineConfidence([
    stage,
    ...listDoubts(stage, choice),
    ...chosenParts.map(findConfidence),
    findRestConfidence(rest),
    ...unsure.map(() => TAGS_UNKNOWN),
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

interface BreakdownPart {
  readonly cost: CostDelta;
  readonly isChosen: boolean;
  /** Whether it is chosen depends on an unknown tag. */
  readonly isUnsure?: boolean;
}

function listParts(
  { modules, types, unchanged = [] }: StageReport,
  choice: PartChoice,
  { all }: StageContents,
): readonly BreakdownPart[] | null {
  const { by, isMatch } = choice;
  if (by === "tag")
    return [
      ...all.flatMap((one) => divide(one, choice, one)),
      // What a source cannot price is in no total either.
      ...unchanged.flatMap((one) => (one.cost === null ? [] : divide(one, choice, toUnchangedDelta(one)))),
    ];
  const parts =
    by === "module"
      ? modules?.map((cost) => ({ cost, isChosen: isMatch({ module: cost.module, type: null }) }))
      : types?.map((cost) => ({ cost, isChosen: isMatch({ module: null, type: cost.type }) }));
  return parts ?? null;
}

function listDoubts(
  { modules, modulesBecause, currency }: StageReport,
  { by }: PartChoice,
): readonly CostConfidence[] {
  if (by !== "module") return [];
  if (modulesBecause !== null) return [{ state: "unknown", because: [modulesBecause] }];
  return modules?.every((module) => module.currency === currency) === true ? [] : [OTHER_CURRENCY];
}

/** Amounts of different currencies are never added. */
const TAGS_UNKNOWN: CostConfidence = { state: "unknown", because: ["tags_unknown"] };

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
function narrowUsage({ usageBased }: StageReport, choice: PartChoice, { all, allRows }: StageContents) {
  if (usageBased === undefined) return {};
  const tagged = new Map([...allRows, ...all].map(({ address, tags }) => [address, tags]));
  const resources = usageBased.resources.filter(({ address, type }) => {
    const tags = tagged.get(address);
    return isHeld({ module: deriveModulePath(address), type, ...(tags !== undefined && { tags }) }, choice);
  });
  const own = { ...usageBased, resources };
  return { usageBased: own, usage: countStageUsage(own) };
}

/** Those that are not listed may be in any part; so may all where parts have certain tags, because actions have none. */
function narrowInvocations({ planNotes }: StageReport, choice: PartChoice) {
  if (planNotes === undefined) return {};
  const { listed, more } = planNotes.invocations;
  const unsure = listed.filter((one) => isUnsure(one, choice));
  const sure = listed.filter((one) => !unsure.includes(one) && choice.isMatch(one));
  return { planNotes: { ...planNotes, invocations: { listed: sure, more: more + unsure.length } } };
}

function narrowUnpriced(
  { unpriced }: StageReport,
  { by, isMatch: matches }: PartChoice,
): StageReport["unpriced"] {
  if (unpriced === null || by !== "type") return null;
  const types = Object.entries(unpriced.types).filter(([type]) => matches({ module: null, type }));
  return { types: Object.fromEntries(types), count: types.reduce((sum, [, count]) => sum + count, 0) };
}
