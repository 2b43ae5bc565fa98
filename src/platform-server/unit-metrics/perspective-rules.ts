import { z } from "zod";
import {
  PerspectiveCondition,
  type PerspectiveFilter,
} from "../../platform/contract/shapes/perspective-filter.ts";
import type { Context } from "../area/deps.ts";
import {
  allOf,
  isPreview,
  parsePerspectiveFilters,
  parseRules,
  type Sql,
} from "../area/perspective-filter.ts";
import { isProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { BILLING_ROWS } from "./billing-fields.ts";
import { readPerspectiveRules } from "./store/perspectives.ts";
import type { UnitMetricTables } from "./store/tables.ts";
import { createNotFoundProblem } from "./wire-metric.ts";

interface PerspectiveQuery {
  readonly perspectiveId: string;
  readonly filters: readonly PerspectiveFilter[];
  /** The perspective's own saved rules do not count. */
  readonly override: boolean;
}

/** Returns the condition on the billing rows of a perspective with further filters, which may add the saved rules of other perspectives. */
export async function loadPerspectiveCondition(
  context: Context<UnitMetricTables>,
  { perspectiveId, filters, override }: PerspectiveQuery,
): Promise<Sql | Problem<"bad_request">> {
  const own = await loadSavedCondition(context, perspectiveId);
  if (own === null) return createNotFoundProblem("there is no such perspective");
  const requested = parsePerspectiveFilters(BILLING_ROWS, filters, { now: context.clock.now(), path: "" });
  if (isProblem(requested)) return requested;
  const conditions = override ? [requested] : [own, requested];
  for (const [index, { viewMetadataFilter: view }] of filters.entries()) {
    // Its own rules count already, or the caller asked that they do not.
    if (view === undefined || isPreview(view) || view.viewId === perspectiveId) continue;
    const added = await loadSavedCondition(context, view.viewId);
    if (added === null)
      return createNotFoundProblem("there is no such perspective", [
        { field: `${index}.viewMetadataFilter.viewId`, error: "not found" },
      ]);
    conditions.push(added);
  }
  return allOf(conditions);
}

/** Without conditions, a rule would match every row. */
const parseSavedRules = createStoredJsonParser(
  "rules of a perspective",
  z.array(z.object({ conditions: z.array(PerspectiveCondition).min(1) })),
);

async function loadSavedCondition(context: Context<UnitMetricTables>, id: string): Promise<Sql | null> {
  const saved = await readPerspectiveRules(context.db, context.token.account, id);
  return saved === null ? null : parseRules(BILLING_ROWS, parseSavedRules(saved)).condition;
}
