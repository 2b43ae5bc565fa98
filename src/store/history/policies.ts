import { sql } from "kysely";
import { fromMonthParts, toMonthParts } from "../../kernel/fiscal-periods.ts";
import { toIsoDay } from "../../kernel/instant.ts";
import { compare, type Decimal, type Money, sum, ZERO } from "../../kernel/money.ts";
import {
  type BudgetPeriod,
  findBudgetPeriods,
  type ShownPolicy,
  type Waiver,
} from "../../policy/model/policy.ts";
import { createStageNamer, isWorkspaceInScope } from "../../policy/scope/scope.ts";
import { storedPolicy } from "../json/stored-values.ts";
import type { Db } from "../tables/tables.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

export interface PolicyInForce {
  readonly repositoryId: number;
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  readonly baseRef: string;
  /** Whether readers of the repository may see figures. */
  readonly figures: boolean;
  readonly policy: ShownPolicy;
}

/**
 * The policies of these repositories as their newest evaluations used them: of each base branch with an open pull request, and of
 * the branch that was evaluated last. A policy that no evaluation used yet is not there.
 */
export async function listPoliciesInForce(db: Db, repositoryIds: RepositoryIds) {
  const { rows } = await sql<Omit<PolicyInForce, "policy"> & { readonly blobs: string }>`
    with seen as (
      select evaluations.repository_id, evaluations.base_ref, evaluations.policy_blobs, evaluations.created_at,
        pulls.state = 'open' as is_open
      from evaluations join pulls on pulls.repository_id = evaluations.repository_id and pulls.number = evaluations.number
      where ${isReadable("evaluations.repository_id", repositoryIds)} and evaluations.policy_blobs <> ''
    ), used as (
      (select distinct on (repository_id) * from seen order by repository_id, created_at desc)
      union
      (select distinct on (repository_id, base_ref) * from seen where is_open
        order by repository_id, base_ref, created_at desc)
    ), newest as (
      select distinct on (repository_id, base_ref) repository_id, base_ref, policy_blobs from used
      order by repository_id, base_ref, created_at desc
    )
    select newest.repository_id as "repositoryId", repositories.owner_login || '/' || repositories.name as repository,
      newest.base_ref as "baseRef", coalesce(repositories.figures, false) as figures, newest.policy_blobs as blobs
    from newest join repositories on repositories.repository_id = newest.repository_id
    order by repository, "baseRef"`.execute(db);
  const policies = await readPolicies(db, new Set(rows.map(({ blobs }) => blobs)));
  return rows.flatMap(({ blobs, ...place }) => {
    const policy = policies.get(blobs);
    return policy === undefined ? [] : [{ ...place, policy }];
  });
}

/** Policies by the blobs of their files, without those that cannot be read: the next evaluation stores them again. */
async function readPolicies(db: Db, blobs: ReadonlySet<string>): Promise<ReadonlyMap<string, ShownPolicy>> {
  if (blobs.size === 0) return new Map();
  const rows = await db
    .selectFrom("policies")
    .select(["policy_blobs", "policy"])
    .where("policy_blobs", "in", [...blobs])
    .execute();
  return new Map(
    rows.flatMap((row): readonly [string, ShownPolicy][] => {
      const read = storedPolicy.read(row.policy);
      return read.state === "read" ? [[row.policy_blobs, read.value]] : [];
    }),
  );
}

/** A waiver of a policy in force. */
export interface WaiverInForce extends Waiver {
  readonly repositoryId: number;
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  /** The base branches whose policy has it. */
  readonly baseRefs: readonly string[];
  /** True: readers may not see figures, so `upTo` is null whatever it is. */
  readonly isHidden: boolean;
}

/**
 * The waivers of these repositories that end after `fromMs` and before `toMs`, in ms since 1970; the first to end first. `inForce`:
 * their policies, where they were read already.
 */
export async function listEndingWaivers(
  db: Db,
  repositoryIds: RepositoryIds,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  inForce = listPoliciesInForce(db, repositoryIds),
): Promise<readonly WaiverInForce[]> {
  const all = (await inForce).flatMap(({ policy, baseRef, figures, ...place }) =>
    policy.waivers
      .filter(({ untilMs }) => untilMs > fromMs && untilMs < toMs)
      .map((waiver) => ({ ...waiver, ...place, baseRef, isHidden: !figures })),
  );
  const same = Map.groupBy(all, ({ baseRef: _, ...waiver }) => JSON.stringify(waiver));
  return [...same.values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const { baseRef, ...waiver } = first;
      const baseRefs = [baseRef, ...others.map((other) => other.baseRef)];
      return [{ ...waiver, upTo: waiver.isHidden ? null : waiver.upTo, baseRefs }];
    })
    .sort((a, b) => a.untilMs - b.untilMs);
}

/** A budget of a policy in force, with what counts towards it: per month, or in its current period; in the currency of its limit. */
export interface BudgetState {
  readonly repositoryId: number;
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  readonly baseRef: string;
  readonly rule: string;
  readonly limit: Money;
  /** The current period; null: each month. */
  readonly period: BudgetPeriod | null;
  /** The known cost of its workspaces on their base branch; in a period, what was merged in it costs until today. */
  readonly used: Decimal;
  /** The same until the end of the period; without one, the same. */
  readonly forecast: Decimal;
  /** The same with the increases of open pull requests that may be merged as they are. */
  readonly withOpen: Decimal;
  readonly pulls: number;
  /** Workspaces whose cost, or whose change by a pull request, is unknown or in another currency: the amounts lack them. */
  readonly unknown: readonly string[];
}

/**
 * The budgets of these repositories on a day; those whose readers may not see figures have none here. `inForce`: their policies, where they
 * were read already.
 */
export async function listBudgets(
  db: Db,
  repositoryIds: RepositoryIds,
  { day, yearStart }: { readonly day: string; readonly yearStart: string },
  inForce = listPoliciesInForce(db, repositoryIds),
): Promise<readonly BudgetState[]> {
  const policies = (await inForce).filter(
    ({ figures, policy }) => figures && policy.rules.some(({ limit }) => limit.kind === "budget"),
  );
  if (policies.length === 0) return [];
  const ids = new Set(policies.map(({ repositoryId }) => repositoryId));
  const rules = policies.flatMap(({ policy }) => policy.rules);
  const periods = findBudgetPeriods(rules, day, yearStart);
  const since = periods.map(({ from }) => from).toSorted()[0];
  const merged = since === undefined ? [] : await readMerged(db, ids, since);
  const costs = Map.groupBy([...(await readCosts(db, ids)), ...merged], ({ repositoryId }) => repositoryId);
  return policies.flatMap((place) => {
    const own = { costs: costs.get(place.repositoryId) ?? [], periods, day };
    return place.policy.rules.flatMap((rule) => computeBudget(place, rule, own));
  });
}

interface BudgetCost {
  readonly repositoryId: number;
  readonly workspace: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
  /** The open pull request that changes it; null: none does. */
  readonly number: number | null;
  /** The day on which it was changed; null: of an open pull request, or the cost on the base branch. */
  readonly mergedOn: string | null;
}

async function readCosts(db: Db, ids: RepositoryIds): Promise<readonly BudgetCost[]> {
  const columns = ["repository_id as repositoryId", "workspace", "currency", "amount"] as const;
  const base = await db
    .selectFrom("workspace_costs")
    .select(columns)
    .where(isReadable("repository_id", ids))
    .execute();
  const claims = await db
    .selectFrom("budget_claims")
    .select([...columns, "number"])
    .where(isReadable("repository_id", ids))
    .execute();
  const rows = [...base.map((row) => ({ ...row, number: null })), ...claims];
  return rows.map((row) => ({ ...row, amount: row.amount as Decimal | null, mergedOn: null })); // only a Decimal is ever written
}

/** What was merged since a day, by day and workspace. */
async function readMerged(db: Db, ids: RepositoryIds, since: string): Promise<readonly BudgetCost[]> {
  const mergedOn = sql<Date>`date_trunc('day', merged_at, 'UTC')`;
  const rows = await db
    .selectFrom("merged_stages")
    .where(isReadable("repository_id", ids))
    .where("merged_at", ">=", new Date(since))
    .select(["repository_id as repositoryId", "workspace", "currency", mergedOn.as("mergedOn")])
    .select(sql<Decimal | null>`trim_scale(sum(change::numeric))::text`.as("amount"))
    .groupBy(["repository_id", "workspace", "currency", sql`change is null`, mergedOn])
    .execute();
  return rows.map((row) => ({ ...row, number: null, mergedOn: toIsoDay(row.mergedOn.getTime()) }));
}

function computeBudget(
  { policy, figures: _, ...place }: PolicyInForce,
  { id, limit, scope, mandatory }: ShownPolicy["rules"][number],
  own: {
    readonly costs: readonly BudgetCost[];
    readonly periods: readonly BudgetPeriod[];
    readonly day: string;
  },
): readonly BudgetState[] {
  if (limit.kind !== "budget") return [];
  const { costs, day } = own;
  const period = own.periods.find(({ unit }) => unit === limit.period) ?? null;
  const getName = createStageNamer(mandatory ? policy.organisationStages : policy.stages);
  const workspaces = new Set(costs.map(({ workspace }) => workspace));
  const included = new Set(
    [...workspaces].filter((workspace) => isWorkspaceInScope(scope, { workspace, name: getName(workspace) })),
  );
  const inScope = costs.filter(
    ({ workspace, number, mergedOn }) =>
      included.has(workspace) &&
      (number !== null || (period === null ? mergedOn === null : (mergedOn ?? "") >= period.from)),
  );
  const isKnown = ({ amount, currency }: BudgetCost): boolean =>
    amount === ZERO || (amount !== null && currency === limit.amount.currency);
  const known = inScope.filter(isKnown).map((cost) => ({ ...cost, amount: cost.amount ?? ZERO }));
  const base = known.filter(({ number }) => number === null);
  const claims = known.filter(({ number }) => number !== null);
  const rises = [...Map.groupBy(claims, ({ number }) => number).values()]
    .map((own) => sum(own.map(({ amount }) => amount)))
    .filter((rise) => compare(rise, ZERO) > 0);
  const unknown = inScope.filter((cost) => !isKnown(cost)).map(({ workspace }) => workspace);
  const addUp = (all: readonly Pick<(typeof known)[number], "amount" | "mergedOn">[], to: string) => {
    if (period === null) return sum(all.map(({ amount }) => amount));
    const parts = all.map(({ amount, mergedOn }) => toMonthParts(amount, { from: mergedOn ?? day, to }));
    return fromMonthParts(sum(parts));
  };
  const end = period?.to ?? day;
  return [
    {
      ...place,
      rule: id,
      limit: limit.amount,
      period,
      used: addUp(base, day),
      forecast: addUp(base, end),
      withOpen: addUp([...base, ...rises.map((amount) => ({ amount, mergedOn: null }))], end),
      pulls: rises.length,
      unknown: [...new Set(unknown)].sort(),
    },
  ];
}
