import type { Kysely } from "kysely";
import { compare, type Decimal, type Money, sum, ZERO } from "../../kernel/money.ts";
import type { ShownPolicy } from "../../policy/model/policy.ts";
import { isWorkspaceInScope } from "../../policy/scope/scope.ts";
import { createStageNamer } from "../../policy/scope/stage-names.ts";
import type { Tables } from "../tables/tables.ts";
import { listPoliciesInForce, type PolicyInForce } from "./policies-in-force.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** A budget of a policy in force, with what counts towards it. Per month, in the currency of its limit. */
export interface BudgetState {
  readonly repositoryId: number;
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  readonly baseRef: string;
  readonly rule: string;
  readonly limit: Money;
  /** The known cost of its workspaces on their base branch. */
  readonly used: Decimal;
  /** The same with the increases of open pull requests that may be merged as they are. */
  readonly forecast: Decimal;
  /** Number of those pull requests. */
  readonly pulls: number;
  /** Workspaces whose cost, or whose change by a pull request, is unknown or in another currency: the amounts lack them. */
  readonly unknown: readonly string[];
}

/**
 * The budgets of these repositories; those whose readers may not see figures have none here. `inForce`: their policies, where they
 * were read already.
 */
export async function listBudgets(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
  inForce = listPoliciesInForce(db, repositoryIds),
): Promise<readonly BudgetState[]> {
  const policies = (await inForce).filter(
    ({ figures, policy }) => figures && policy.rules.some(({ limit }) => limit.kind === "budget"),
  );
  if (policies.length === 0) return [];
  const ids = new Set(policies.map(({ repositoryId }) => repositoryId));
  const costs = Map.groupBy(await readCosts(db, ids), ({ repositoryId }) => repositoryId);
  return policies.flatMap((place) =>
    place.policy.rules.flatMap((rule) => computeBudget(place, rule, costs.get(place.repositoryId) ?? [])),
  );
}

interface BudgetCost {
  readonly repositoryId: number;
  readonly workspace: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
  /** Null: the cost on the base branch. */
  readonly number: number | null;
}

async function readCosts(db: Kysely<Tables>, ids: RepositoryIds): Promise<readonly BudgetCost[]> {
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
  return rows.map((row) => ({ ...row, amount: row.amount as Decimal | null })); // only a Decimal is ever written
}

function computeBudget(
  { policy, figures: _, ...place }: PolicyInForce,
  { id, limit, scope, mandatory }: ShownPolicy["rules"][number],
  costs: readonly BudgetCost[],
): readonly BudgetState[] {
  if (limit.kind !== "budget") return [];
  const getName = createStageNamer(mandatory ? policy.organisationStages : policy.stages);
  const workspaces = new Set(costs.map(({ workspace }) => workspace));
  const included = new Set(
    [...workspaces].filter((workspace) => isWorkspaceInScope(scope, { workspace, name: getName(workspace) })),
  );
  const inScope = costs.filter(({ workspace }) => included.has(workspace));
  const isKnown = ({ amount, currency }: BudgetCost): boolean =>
    amount === ZERO || (amount !== null && currency === limit.amount.currency);
  const known = inScope.filter(isKnown);
  const used = sum(
    known.flatMap(({ number, amount }) => (number === null && amount !== null ? [amount] : [])),
  );
  const claims = known.filter(({ number }) => number !== null);
  const rises = [...Map.groupBy(claims, ({ number }) => number).values()]
    .map((own) => sum(own.flatMap(({ amount }) => (amount === null ? [] : [amount]))))
    .filter((rise) => compare(rise, ZERO) > 0);
  const unknown = inScope.filter((cost) => !isKnown(cost)).map(({ workspace }) => workspace);
  return [
    {
      ...place,
      rule: id,
      limit: limit.amount,
      used,
      forecast: sum([used, ...rises]),
      pulls: rises.length,
      unknown: [...new Set(unknown)].sort(),
    },
  ];
}
