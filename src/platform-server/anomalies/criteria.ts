import type { AnomalyFilter, AnomalyRequest } from "../../platform/contract/shapes/anomaly-filter.ts";
import type { Context } from "../area/deps.ts";
import { foldCase } from "../area/fold-case.ts";
import { isProblem, type Problem } from "../area/problem.ts";
import { LIST_COLUMNS } from "./fields.ts";
import { parsePerspectiveCriteria } from "./perspective.ts";
import type { AnomalyCriteria } from "./store/matching-anomalies.ts";
import type { AnomalyTables, TextColumn } from "./store/tables.ts";

/**
 * Returns the criteria for the requested anomalies of the caller's account, or the problem of the request.
 */
export function buildCriteria(
  request: AnomalyRequest,
  { token, clock }: Pick<Context<AnomalyTables>, "token" | "clock">,
): AnomalyCriteria | Problem<"bad_request"> {
  const filter = request.anomalyFilterPropertiesDTO ?? {};
  const perspective = parsePerspectiveCriteria(request.perspectiveQueryDTO, clock.now());
  if (isProblem(perspective)) return perspective;
  return {
    account: token.account,
    oneOf: selectListFilters(filter),
    searches: (filter.searchText ?? []).map(foldCase),
    categories: (filter.costCategoryDTOs ?? []).map(({ costCategory, costBucket }) => ({
      category: costCategory,
      bucket: costBucket === undefined || costBucket === "" ? null : costBucket,
    })),
    categoryNames: filter.costCategories ?? [],
    tags: filter.tags ?? {},
    minActualAmount: filter.minActualAmount ?? null,
    minAnomalousSpend: filter.minAnomalousSpend ?? null,
    times: [...(filter.timeFilters ?? []), ...perspective.times],
    conditions: perspective.conditions,
    rules: perspective.rules,
    includesAllowListed: request.showWhitelistedAnomalies === true,
  };
}

function selectListFilters(filter: AnomalyFilter): AnomalyCriteria["oneOf"] {
  const lists: Partial<Record<TextColumn, readonly string[]>> = {};
  for (const [member, column] of Object.entries(LIST_COLUMNS))
    lists[column] = filter[member as keyof typeof LIST_COLUMNS] ?? []; // the table's own keys
  if (filter.anomalyView !== undefined && filter.anomalyView !== null) lists.view = [filter.anomalyView];
  return lists;
}
