import { z } from "zod";
import {
  PerspectiveCondition,
  type PerspectiveFilter,
} from "../../platform/contract/shapes/perspective-filter.ts";
import { findRow } from "../../store/database/statements.ts";
import type { Context } from "../area/area.ts";
import {
  allOf,
  isPreview,
  parsePerspectiveFilters,
  parseRules,
  type Sql,
} from "../area/perspective-filter.ts";
import { type FieldProblem, refuseUnknown } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { BILLING_ROWS } from "./billing-fields.ts";

interface PerspectiveQuery {
  readonly perspectiveId: string;
  readonly filters: readonly PerspectiveFilter[];
  /** The perspective's own saved rules do not count. */
  readonly override: boolean;
}

/**
 * Returns the condition on the billing rows of a perspective with further filters, which may add the saved rules of other perspectives.
 * @throws Refusal
 */
export async function loadPerspectiveCondition(
  context: Context,
  { perspectiveId, filters, override }: PerspectiveQuery,
): Promise<Sql> {
  const own = await loadSavedCondition(context, perspectiveId);
  const requested = parsePerspectiveFilters(BILLING_ROWS, filters, { now: context.clock.now(), path: "" });
  const conditions = override ? [requested] : [own, requested];
  for (const [index, { viewMetadataFilter: view }] of filters.entries()) {
    // Its own rules count already, or the caller asked that they do not.
    if (view === undefined || isPreview(view) || view.viewId === perspectiveId) continue;
    const field = `${index}.viewMetadataFilter.viewId`;
    conditions.push(await loadSavedCondition(context, view.viewId, [{ field, error: "not found" }]));
  }
  return allOf(conditions);
}

/** Without conditions, a rule would match every row. */
const parseSavedRules = createStoredJsonParser(
  "rules of a perspective",
  z.array(z.object({ conditions: z.array(PerspectiveCondition).min(1) })),
);

async function loadSavedCondition(
  { db, account }: Context,
  perspective_id: string,
  fields?: readonly FieldProblem[],
): Promise<Sql> {
  const saved = await findRow(db, "platform_perspectives", { account, perspective_id });
  const { rules } = saved ?? refuseUnknown("there is no such perspective", fields);
  return parseRules(BILLING_ROWS, parseSavedRules(rules)).condition;
}
