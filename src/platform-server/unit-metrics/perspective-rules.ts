import { z } from "zod";
import {
  PerspectiveCondition,
  type PerspectiveFilter,
} from "../../platform/contract/shapes/perspective-filter.ts";
import type { Context } from "../area/deps.ts";
import { invalidFields, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { listAddedPerspectives, parseRules, requestFiltering } from "./billing-filter.ts";
import type { BillingCondition } from "./store/billing-condition.ts";
import { readPerspectiveRules } from "./store/perspectives.ts";
import type { UnitMetricTables } from "./store/tables.ts";
import { createNotFoundProblem } from "./wire-metric.ts";

interface PerspectiveQuery {
  readonly perspectiveId: string;
  readonly filters: readonly PerspectiveFilter[];
  /** The perspective's own saved rules do not count. */
  readonly override: boolean;
}

/** Returns the condition on the billing rows of a perspective with further filters. */
export async function loadPerspectiveCondition(
  context: Context<UnitMetricTables>,
  { perspectiveId, filters, override }: PerspectiveQuery,
): Promise<BillingCondition | Problem<"bad_request">> {
  const own = await loadSavedCondition(context, perspectiveId);
  if (own === null) return createNotFoundProblem("there is no such perspective");
  const filtering = requestFiltering(filters, context.clock.now());
  if (filtering.problems.length > 0) return invalidFields(filtering.problems);
  const of = override ? [filtering.condition] : [own, filtering.condition];
  for (const { id, path } of listAddedPerspectives(filters)) {
    // Its rules count already, or the caller asked that they do not.
    if (id === perspectiveId) continue;
    const added = await loadSavedCondition(context, id);
    if (added === null)
      return createNotFoundProblem("there is no such perspective", [{ field: path, error: "not found" }]);
    of.push(added);
  }
  return { kind: "all", of };
}

/** Without conditions, a rule would match every row. */
const parseSavedRules = createStoredJsonParser(
  "rules of a perspective",
  z.array(z.object({ conditions: z.array(PerspectiveCondition).min(1) })),
);

async function loadSavedCondition(
  context: Context<UnitMetricTables>,
  id: string,
): Promise<BillingCondition | null> {
  const saved = await readPerspectiveRules(context.db, context.token.account, id);
  if (saved === null) return null;
  const rules = parseSavedRules(saved);
  return parseRules(rules.map((rule, index) => ({ ...rule, path: `rules.${index}` }))).condition;
}
