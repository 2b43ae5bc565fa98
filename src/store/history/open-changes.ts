import { type Kysely, sql } from "kysely";
import type { Decimal } from "../../kernel/money.ts";
import type { Tables } from "../tables/tables.ts";
import { type OpenPullFilter, selectOpenPulls } from "./open-pulls.ts";
import { PULL_OUTCOMES, type PullOutcome, selectOutcome } from "./pull-outcome.ts";
import { selectExactSum } from "./readable.ts";

/** A sum of monthly changes in one currency. Pull requests with an unknown change are not in it. */
export interface ChangeSum {
  readonly currency: string;
  readonly change: Decimal;
  /** Number of pull requests in the sum. */
  readonly pulls: number;
}

/** Open pull requests with the same outcome, and the monthly change that waits in them. */
export interface OpenChanges {
  readonly outcome: PullOutcome;
  readonly pulls: number;
  readonly sums: readonly ChangeSum[];
  /** Number of those whose change is not fully known, so that the sums lack it or a part of it. */
  readonly unknown: number;
  /** Number of those whose figures this reader may not see. */
  readonly hidden: number;
}

/** Sums up the open pull requests of these repositories by outcome, in the order of `PULL_OUTCOMES`. */
export async function sumOpenChanges(
  db: Kysely<Tables>,
  filter: OpenPullFilter,
): Promise<readonly OpenChanges[]> {
  const counts = await selectOpenPulls(db, filter)
    .select([selectOutcome.as("outcome"), sql<number>`count(*)`.as("pulls")])
    .select([countUnknown.as("unknown"), countHidden.as("hidden")])
    .groupBy(selectOutcome)
    .execute();
  const sums = await selectOpenPulls(db, filter)
    .innerJoin("evaluation_totals as total", "total.evaluation_id", "evaluations.evaluation_id")
    .where("repositories.figures", "=", true)
    .where("total.state", "=", "known")
    .where("total.change", "is not", null)
    .select([selectOutcome.as("outcome"), "total.currency"])
    .select([selectExactSum("total.change").as("change"), sql<number>`count(*)`.as("pulls")])
    .groupBy([selectOutcome, "total.currency"])
    .orderBy("total.currency")
    .execute();
  return PULL_OUTCOMES.flatMap((outcome) => {
    const own = counts.find((row) => row.outcome === outcome);
    if (own === undefined) return [];
    const ownSums = sums.filter((row) => row.outcome === outcome);
    return [{ ...own, sums: ownSums.map(({ currency, change, pulls }) => ({ currency, change, pulls })) }];
  });
}

const IS_HIDDEN = sql`(repositories.figures is not true or coalesce(evaluations.cost = 'hidden', false))`;
/** A pull request without any evaluation has an unknown change. */
const countUnknown = sql<number>`count(*) filter (where not ${IS_HIDDEN} and coalesce(evaluations.cost, 'unknown') = 'unknown')`;
const countHidden = sql<number>`count(*) filter (where ${IS_HIDDEN})`;
