import type {
  PerspectiveCondition,
  PerspectiveFilter,
} from "../../platform/contract/shapes/perspective-filter.ts";
import { translateWord } from "../../platform/contract/wire/translate.ts";
import { monthRange } from "../area/month.ts";
import { filterText, isStartTime } from "./billing-fields.ts";
import type { BillingCondition } from "./store/billing-condition.ts";

/** A saved rule of a perspective: all of its conditions must be true. */
export interface PerspectiveRule {
  readonly conditions: readonly PerspectiveCondition[];
}

interface FieldProblem {
  readonly field: string;
  readonly error: string;
}

/** The condition on billing rows of a filter, and its problems by path. */
export interface BillingFilter {
  readonly condition: BillingCondition;
  readonly problems: readonly FieldProblem[];
}

const EVERYTHING: BillingCondition = { kind: "all", of: [] };
const createValidFilter = (condition: BillingCondition): BillingFilter => ({ condition, problems: [] });

function join(kind: "all" | "any", parts: readonly BillingFilter[]): BillingFilter {
  const of = parts.map(({ condition }) => condition);
  return { condition: { kind, of }, problems: parts.flatMap(({ problems }) => problems) };
}

/** Combines rules: at least one must be true; without rules, every row matches. */
export const parseRules = (rules: readonly (PerspectiveRule & { readonly path: string })[]): BillingFilter =>
  rules.length === 0
    ? createValidFilter(EVERYTHING)
    : join(
        "any",
        rules.map(({ conditions, path }) =>
          join(
            "all",
            conditions.map((one, index) => parseFieldFilter(one, `${path}.conditions.${index}`)),
          ),
        ),
      );

/**
 * Combines the filters of a request: all of them must be true, and of their rules at least one. Other
 * perspectives are not included.
 */
export function requestFiltering(filters: readonly PerspectiveFilter[], now: number): BillingFilter {
  const rules = filters.flatMap(({ ruleFilter }, index) =>
    ruleFilter === undefined ? [] : [{ ...ruleFilter, path: `${index}.ruleFilter` }],
  );
  const others = filters.flatMap(({ idFilter, timeFilter, timeRangeTypeFilter }, index) => [
    ...(idFilter === undefined ? [] : [parseFieldFilter(idFilter, `${index}.idFilter`)]),
    ...(timeFilter === undefined ? [] : [parseTimeFilter(timeFilter, `${index}.timeFilter`)]),
    ...(timeRangeTypeFilter === undefined
      ? []
      : [createValidFilter({ kind: "time", ...monthRange(timeRangeTypeFilter, now) })]),
  ]);
  return join("all", [...others, parseRules(rules)]);
}

/**
 * Returns the identifiers of the perspectives whose saved rules a request adds, with their paths. A preview
 * adds none.
 */
export const listAddedPerspectives = (
  filters: readonly PerspectiveFilter[],
): readonly { readonly id: string; readonly path: string }[] =>
  filters.flatMap(({ viewMetadataFilter: view }, index) =>
    view === undefined || view.isPreview === true || view.preview === true
      ? []
      : [{ id: view.viewId, path: `${index}.viewMetadataFilter.viewId` }],
  );

function parseFieldFilter({ field, operator, values }: PerspectiveCondition, path: string): BillingFilter {
  const text = filterText(field);
  if ("wrong" in text)
    return { condition: EVERYTHING, problems: [{ field: `${path}.field.fieldId`, error: text.wrong }] };
  const isCloud = text.kind === "column" && text.column === "cloud_provider";
  const neutral = isCloud ? values.map((value) => translateWord("cloud", value, "neutral")) : values;
  return createValidFilter({ kind: "text", text, operator, values: neutral });
}

type TimeFilter = NonNullable<PerspectiveFilter["timeFilter"]>;

function parseTimeFilter({ field, operator, value }: TimeFilter, path: string): BillingFilter {
  if (!isStartTime(field)) {
    const error = "no time of a billing row; there is startTime";
    return { condition: EVERYTHING, problems: [{ field: `${path}.field.fieldId`, error }] };
  }
  const ends = operator === "AFTER" ? { from: value, to: null } : { from: null, to: value };
  return createValidFilter({ kind: "time", ...ends });
}
