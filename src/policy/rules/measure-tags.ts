import { RE2JS } from "@bufbuild/re2";
import { type Decimal, sum, ZERO } from "../../kernel/money.ts";
import { readTag } from "../../kernel/resource-tags.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { isOpenAfter } from "../../report/usage.ts";
import type { TagProblem, UndecidedReason } from "../model/finding.ts";
import type { RequiredTag } from "../model/policy.ts";
import { createPatternMatcher } from "../scope/scope.ts";
import {
  buildLineKey,
  buildNamedDoubt,
  listAfterDoubts,
  listReportGaps,
  listRowGaps,
  selectUniqueReasons,
} from "./doubts.ts";
import { formatItem, INTRODUCING_KINDS } from "./measure-counts.ts";
import { createUndecided, type MeasureInput, type Measurement } from "./measurement.ts";

type TagKind = "untagged" | "untagged-cost";

/**
 * Measures the new and changed resources that miss a required tag or have a value that is not allowed: how many they are, or what they
 * cost per month after the merge. A resource without any of that whose tags are unknown makes the rule undecided.
 */
export function measureTags(report: Report, input: MeasureInput<TagKind>): readonly Measurement[] {
  const inspect = createTagInspector(input.tags?.required ?? []);
  const byStage = Map.groupBy(report.rows, ({ stage }) => stage);
  const parts = report.stages.map((stage): StagePart => {
    const own = (byStage.get(buildStageKey(stage)) ?? []).filter(({ change }) =>
      INTRODUCING_KINDS.includes(change),
    );
    const rows = [...new Map(own.map((row) => [row.address, row])).values()];
    return { stage, gaps: listRowGaps({ stages: [stage], rows }), rows: rows.map(inspect) };
  });
  const measure = createPartMeasure(report, input);
  const gaps = listReportGaps(report);
  if (input.per !== "stage") return measure(parts, gaps);
  const ofStages = parts.flatMap((part) =>
    measure([part], []).map((own) => ({ ...own, subject: input.names.getLabel(part.stage) })),
  );
  return gaps.length === 0 ? ofStages : [...ofStages, createUndecided(gaps)];
}

interface StagePart {
  readonly stage: StageReport;
  /** Why its rows are not every changed resource; empty: they are. */
  readonly gaps: readonly UndecidedReason[];
  readonly rows: readonly InspectedRow[];
}

interface InspectedRow {
  readonly row: ReportedRow;
  /** The required tags that are missing (`found`: null) or wrong. */
  readonly problems: readonly { readonly tag: RequiredTag; readonly found: string | null }[];
  /** Why a required tag is unknown; null: all are known. */
  readonly because: "later" | "sensitive" | "not_read" | null;
}

function createTagInspector(required: readonly RequiredTag[]): (row: ReportedRow) => InspectedRow {
  const tags = required.map((tag) => ({
    tag,
    isExcepted: createPatternMatcher("resource_types", tag.exceptTypes),
    isAllowed: createValueMatcher(tag),
  }));
  return (row) => {
    const problems: InspectedRow["problems"][number][] = [];
    let because: InspectedRow["because"] = null;
    for (const { tag, isExcepted, isAllowed } of tags) {
      if (isExcepted(row.type)) continue;
      const reading = readTag(row.tags, { key: tag.key, type: row.type });
      if (reading.state === "unknown") because = reading.because;
      else if (reading.state === "missing") problems.push({ tag, found: null });
      else if (reading.state === "value" && !isAllowed(reading.value))
        problems.push({ tag, found: reading.value });
    }
    return { row, problems, because };
  };
}

/** Creates a predicate over values. Without `values` and `pattern` every value is allowed that is not empty. */
function createValueMatcher({ values, pattern }: RequiredTag): (value: string) => boolean {
  if (values !== null) return (value) => values.includes(value);
  if (pattern === null) return (value) => value !== "";
  const expression = RE2JS.compile(pattern);
  return (value) => expression.matches(value);
}

type PartMeasure = (parts: readonly StagePart[], gaps: readonly UndecidedReason[]) => readonly Measurement[];

const createPartMeasure = (report: Report, input: MeasureInput<TagKind>): PartMeasure =>
  "count" in input.limit ? countUntagged : createCostMeasure(report, input.limit.amount.currency);

const countUntagged: PartMeasure = (parts, gaps) => {
  const rows = parts.flatMap((part) => part.rows);
  const untagged = rows.filter(({ problems }) => problems.length > 0);
  const because = selectUniqueReasons([
    ...gaps,
    ...parts.flatMap((part) => part.gaps),
    ...buildRowDoubts(rows.map((own) => ({ ...own, doubt: findTagDoubt(own) }))),
  ]);
  const value = because.length > 0 ? null : ({ kind: "count", count: untagged.length } as const);
  return [{ subject: null, value, because, ...listUntagged(untagged) }];
};

type RowDoubt = "usage" | "cost" | `tags_${NonNullable<InspectedRow["because"]>}`;

/** A resource that misses a tag is untagged, whatever its other tags are. */
const findTagDoubt = ({ problems, because }: InspectedRow): RowDoubt | null =>
  problems.length > 0 || because === null ? null : `tags_${because}`;

function buildRowDoubts(
  rows: readonly { readonly row: ReportedRow; readonly doubt: RowDoubt | null }[],
): readonly UndecidedReason[] {
  return [...Map.groupBy(rows, ({ doubt }) => doubt)].flatMap(([doubt, own]) => {
    const names = own.map(({ row }) => formatItem(row));
    return doubt === null ? [] : [buildNamedDoubt(doubt, names)];
  });
}

/** Measures the cost in each currency; where nothing is untagged, it is zero in the limit's. */
function createCostMeasure(report: Report, currency: string): PartMeasure {
  const readCost = createCostReader(report);
  return (parts, gaps) => {
    const suspects = parts.map(({ rows, ...part }) => ({
      ...part,
      doubts: listCostDoubts(part.stage),
      rows: rows.filter(({ problems, because }) => problems.length > 0 || because !== null),
    }));
    const [doubted, known] = [true, false].map((isDoubted) =>
      suspects.filter(({ doubts, rows }) => rows.length > 0 && doubts.length > 0 === isDoubted),
    );
    const priced = (known ?? []).flatMap(({ stage, rows }) =>
      rows.map((own) => ({ ...own, ...readCost(own.row, stage), currency: stage.currency ?? currency })),
    );
    const costly = priced.filter(({ cost }) => cost !== ZERO);
    const because = selectUniqueReasons([
      ...gaps,
      ...parts.flatMap((part) => part.gaps),
      ...(doubted ?? []).flatMap(({ doubts }) => doubts),
      ...buildRowDoubts(costly.map((own) => ({ ...own, doubt: findTagDoubt(own) ?? own.doubt }))),
    ]);
    const untagged = costly.filter(({ problems }) => problems.length > 0);
    if (because.length > 0) return [{ subject: null, value: null, because, ...listUntagged(untagged) }];
    const byCurrency = Map.groupBy(untagged, (own) => own.currency);
    if (byCurrency.size === 0) byCurrency.set(currency, []);
    return [...byCurrency].map(([own, rows]) => {
      const amount = sum(rows.flatMap(({ cost }) => cost ?? []));
      return {
        ...{ subject: null, value: { kind: "money", amount, currency: own }, because: [] },
        ...listUntagged(rows),
      };
    });
  };
}

/** Why the cost of no resource of a stage is known. Unnamed usage-based resources may be any. */
function listCostDoubts(stage: StageReport): readonly UndecidedReason[] {
  const unnamed = stage.usageBased?.unnamed ?? 0;
  const usage = { kind: "usage", count: unnamed, names: [] } as const;
  return [...listAfterDoubts(stage), ...(unnamed > 0 ? [usage] : [])];
}

interface RowCost {
  /** Per month after the merge; null: unknown. */
  readonly cost: Decimal | null;
  readonly doubt: RowDoubt | null;
}

/** Creates a function that reads what a resource costs, of a stage whose cost is known. */
function createCostReader(report: Report): (row: ReportedRow, stage: StageReport) => RowCost {
  const keyOf = ({ stage, address }: Pick<ReportedRow, "stage" | "address">) => buildLineKey(stage, address);
  const changed = new Map(report.resources.map((one) => [keyOf(one), one.after]));
  const used = new Set((report.usageBased ?? []).filter(isOpenAfter).map(keyOf));
  return (row, stage) => {
    if (used.has(keyOf(row))) return { cost: null, doubt: "usage" };
    const stated = changed.has(keyOf(row)) ? changed.get(keyOf(row)) : row.cost;
    const cost = stated === undefined && isFree(row, stage) ? ZERO : (stated ?? null);
    return { cost, doubt: cost === null ? "cost" : null };
  };
}

/**
 * Whether a resource without a stated cost costs nothing: the estimator has a price for all of its type, and the resource is new, or the
 * estimate lists the cost of resources that stays.
 */
const isFree = ({ type, change }: ReportedRow, { unpriced, unchanged }: StageReport): boolean =>
  unpriced !== null && (unpriced.types[type] ?? 0) === 0 && (change === "added" || unchanged !== undefined);

/** Largest number of resources in a finding whose tags are described. */
const MAX_DESCRIBED = 20;
/** Largest number of allowed values beside a wrong one. */
const MAX_VALUES = 5;

function listUntagged(rows: readonly InspectedRow[]): Pick<Measurement, "items" | "tagProblems"> {
  const items = rows.map(({ row }) => formatItem(row));
  return { items, tagProblems: rows.slice(0, MAX_DESCRIBED).flatMap(describeProblems) };
}

const describeProblems = ({ row, problems }: InspectedRow): readonly TagProblem[] =>
  problems.map(({ tag: { key, values, pattern }, found }) => {
    const allowed = found === null ? [] : (values ?? []);
    const nearest = found === null ? null : suggestChoice(found, allowed);
    return {
      ...{ item: formatItem(row), key, found, nearest, pattern: found === null ? null : pattern },
      otherKey: found === null ? findOtherKey(row, key) : null,
      values: nearest === null ? allowed.slice(0, MAX_VALUES) : [],
      moreValues: nearest === null ? Math.max(0, allowed.length - MAX_VALUES) : 0,
    };
  });

/** The key that the resource has instead, which is probably a misspelling; null: none is near. */
function findOtherKey({ tags }: ReportedRow, key: string): string | null {
  const own = tags === undefined || tags === "unsupported" ? null : tags.after;
  return suggestChoice(
    key,
    Object.keys(own?.values ?? {}).filter((one) => one.length <= key.length * 2),
  );
}
