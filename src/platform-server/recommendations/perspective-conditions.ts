import type {
  PerspectiveCondition,
  PerspectiveFilter,
} from "../../platform/contract/shapes/perspective-filter.ts";
import { monthRange } from "../area/month.ts";
import { findFieldPlace, findTimeColumn } from "./perspective-fields.ts";
import type { Condition } from "./store/conditions.ts";

/** A problem of one member of the request, by its path. */
export interface FieldProblem {
  readonly field: string;
  readonly error: string;
}

/** Collects problems while conditions are created, so that all of them are reported at once. */
export interface ConditionContext {
  readonly now: number;
  readonly problems: FieldProblem[];
}

/**
 * Converts perspective filters to conditions: every filter must be true, and of all their rules at least one.
 * `path`: the place of the filters in the request.
 */
export function parsePerspectiveConditions(
  filters: readonly PerspectiveFilter[],
  path: string,
  reading: ConditionContext,
): readonly Condition[] {
  const conditions: Condition[] = [];
  const rules: Condition[] = [];
  for (const [index, filter] of filters.entries()) {
    const at = `${path}.${index}`;
    conditions.push(...parseFilterConditions(filter, at, reading));
    if (filter.ruleFilter === undefined) continue;
    const all = filter.ruleFilter.conditions.map((condition, place) =>
      parseFieldCondition(condition, `${at}.ruleFilter.conditions.${place}`, reading),
    );
    rules.push({ all });
  }
  return rules.length === 0 ? conditions : [...conditions, { any: rules }];
}

function* parseFilterConditions(
  filter: PerspectiveFilter,
  at: string,
  reading: ConditionContext,
): Iterable<Condition> {
  const { idFilter, timeFilter, timeRangeTypeFilter, viewMetadataFilter } = filter;
  if (idFilter !== undefined) yield parseFieldCondition(idFilter, `${at}.idFilter`, reading);
  if (timeFilter !== undefined) yield parseTimeCondition(timeFilter, `${at}.timeFilter`, reading);
  if (timeRangeTypeFilter !== undefined)
    yield { time: "generated_ms", ...monthRange(timeRangeTypeFilter, reading.now) };
  if (viewMetadataFilter !== undefined)
    yield { on: "perspective_id", test: { operator: "IN", values: [viewMetadataFilter.viewId] } };
}

const NOTHING: Condition = { any: [] };

function parseFieldCondition(
  { field, operator, values }: PerspectiveCondition,
  at: string,
  reading: ConditionContext,
): Condition {
  const place = findFieldPlace(field);
  if ("error" in place) {
    reading.problems.push({ field: `${at}.field.${place.member}`, error: place.error });
    return NOTHING;
  }
  return { ...place, test: { operator, values } };
}

function parseTimeCondition(
  { field, operator, value }: NonNullable<PerspectiveFilter["timeFilter"]>,
  at: string,
  reading: ConditionContext,
): Condition {
  const place = findTimeColumn(field);
  if ("error" in place) {
    reading.problems.push({ field: `${at}.field.${place.member}`, error: place.error });
    return NOTHING;
  }
  return { ...place, ...(operator === "AFTER" ? { from: value } : { to: value }) };
}
