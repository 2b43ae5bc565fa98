import type { Transaction } from "kysely";
import type { recommendations } from "../../platform/contract/recommendations.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import { INFERRED_STATUSES } from "../../platform/contract/shapes/recommendation-filter.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area } from "../area/area.ts";
import { createProblem } from "../area/problem.ts";
import {
  lockRecommendation,
  setApplied,
  setAppliedSavings,
  setOpen,
  setOverriddenSavings,
  setVerification,
} from "./store/changes.ts";
import type { RecommendationTables } from "./store/tables.ts";

/** Handlers that change a recommendation (cost management 3). */
export const changeHandlers: Area<
  Pick<typeof recommendations, "changeRecommendationState" | "changeInferenceStatus" | "overrideSavings">,
  RecommendationTables
> = {
  changeRecommendationState: async ({ query, body }, context) => {
    const one = { account: context.token.account, id: query.recommendationId };
    const change = {
      to: query.state,
      savings: body?.appliedSavings ?? null,
      userId: context.token.id,
      ms: context.clock.now(),
    };
    const refused = await transact(context.db, async (trx) => {
      const found = await lockRecommendation(trx, one);
      if (found === null) return createUnknownRecommendationProblem();
      if (found.state !== "OPEN" && found.state !== "APPLIED")
        return createRefusal(`a recommendation in state ${found.state} can be neither applied nor opened`);
      await changeState(trx, one, { ...change, isOpen: found.state === "OPEN" });
      return null;
    });
    return refused ?? { body: createSuccess(null, context) };
  },

  changeInferenceStatus: async ({ body }, context) => {
    const { recommendationId: id, verificationStatus: status, comment } = body;
    const one = { account: context.token.account, id };
    const ms = context.clock.now();
    const refused = await transact(context.db, async (trx) => {
      const found = await lockRecommendation(trx, one);
      if (found === null) return createUnknownRecommendationProblem();
      if (!INFERRED.has(found.verification_status))
        return createRefusal(
          "nothing was inferred about this recommendation that could be confirmed or rejected",
        );
      await setVerification(trx, one, { status, comment: comment ?? null, ms });
      return null;
    });
    return refused ?? { body: createSuccess(null, context) };
  },

  overrideSavings: async ({ query }, context) => {
    const one = { account: context.token.account, id: query.recommendationId };
    const override = { savings: query.overriddenSavings, ms: context.clock.now() };
    const found = await setOverriddenSavings(context.db, one, override);
    return found ? { body: createSuccess(true, context) } : createUnknownRecommendationProblem();
  },
};

function changeState(
  trx: Transaction<RecommendationTables>,
  one: { readonly account: string; readonly id: string },
  change: StateChange,
): Promise<void> {
  const { to, isOpen, savings, userId, ms } = change;
  if (to === "OPEN") return setOpen(trx, one, ms);
  if (isOpen) return setApplied(trx, one, { savings, userId, ms });
  return savings === null ? Promise.resolve() : setAppliedSavings(trx, one, { savings, ms });
}

interface StateChange {
  readonly to: "OPEN" | "APPLIED";
  readonly isOpen: boolean;
  readonly savings: number | null;
  readonly userId: string;
  readonly ms: number;
}

const INFERRED: ReadonlySet<string | null> = new Set(INFERRED_STATUSES);

const createRefusal = (message: string) => createProblem("bad_request", message, { code: "INVALID_REQUEST" });

export const createUnknownRecommendationProblem = () =>
  createProblem("bad_request", "there is no such recommendation", { code: "RESOURCE_NOT_FOUND" });
