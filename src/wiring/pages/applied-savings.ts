import { LRUCache } from "lru-cache";
import { selectGrants } from "../../evaluate/facts/grants.ts";
import { requireRead, toDecimal, UnreadError, unknown } from "../../evaluate/facts/platform-facts.ts";
import type { JobDeps } from "../../evaluate/run/deps.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { sum } from "../../kernel/money.ts";
import { recommendations } from "../../platform/contract/recommendations.ts";
import type { Fact } from "../../report/model/facts.ts";
import { listFigureRepositories } from "../../store/history/readable.ts";
import type { AppliedSavings, PageDeps } from "../../web/page/page.ts";

type ReaderDeps = Pick<JobDeps, "db" | "clock" | "operator" | "backgroundPlatform">;

/** Creates the reader of applied savings for pages. What is known is kept for five minutes; nothing is written. */
export function createAppliedSavingsReader(deps: ReaderDeps): PageDeps["readAppliedSavings"] {
  const known = new LRUCache<string, Fact<AppliedSavings>>({ max: 200, ttl: 5 * MINUTE_MS });
  return async (repositoryIds, days) => {
    const repositories = await listFigureRepositories(deps.db, repositoryIds);
    const grants = repositories.flatMap((repository) => selectGrants(deps.operator, repository));
    const accounts = [...new Set(grants.flatMap(({ context }) => context.cloudAccounts))].sort();
    if (accounts.length === 0) return unknown("not_granted");
    const key = JSON.stringify([accounts, days]);
    const fact = known.get(key) ?? (await readAppliedSavings(deps, accounts, days));
    if (fact.state === "known") known.set(key, fact, { noUpdateTTL: true });
    return fact;
  };
}

/** What the platform counts as applied in these cloud accounts in the last days. */
export async function readAppliedSavings(
  {
    backgroundPlatform,
    clock,
    operator,
  }: Pick<JobDeps, "backgroundPlatform" | "clock"> & {
    readonly operator: Pick<JobDeps["operator"], "costCurrency">;
  },
  cloudAccountId: readonly string[],
  days: number,
): Promise<Fact<AppliedSavings>> {
  const appliedAtStartTime = clock.now() - days * DAY_MS;
  const base = { cloudAccountId: [...cloudAccountId], appliedAtStartTime };
  const body = {
    baseRecommendationFilterPropertiesDTO: { ...base, recommendationState: ["APPLIED" as const] },
  };
  try {
    const { data } = requireRead(await backgroundPlatform.call(recommendations.getAppliedStats, { body }));
    const amounts = data.flatMap(({ totalMonthlySaving }) => toDecimal(totalMonthlySaving) ?? []);
    const isStated = data.length === 0 || amounts.length > 0;
    const value = {
      recommendations: data.reduce((total, { count }) => total + count, 0),
      monthly: isStated ? { amount: sum(amounts), currency: operator.costCurrency } : null,
      isPartial: amounts.length < data.length,
    };
    return { state: "known", value };
  } catch (error) {
    if (error instanceof UnreadError) return unknown(error.reason);
    throw error;
  }
}
