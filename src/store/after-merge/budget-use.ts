import type { PullKey } from "../../kernel/ids.ts";
import { parseJson } from "../../kernel/parse-json.ts";
import type { Workspace } from "../../policy/model/context.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { DividedAmount } from "../../report/model/report.ts";
import { divideAmount } from "../../report/tags.ts";
import { deleteRows, has, insertNew, isSamePull } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Trx } from "../tables/tables.ts";

/** The amounts that count towards a repository's budgets, as of `version`. Per month; null: unknown. */
export interface StoredBudgetUse {
  readonly version: number;
  /** The cost of each workspace on its base branch. */
  readonly workspaces: readonly StoredCost[];
  /** The changes of open pull requests that may be merged in their current state. */
  readonly claims: readonly (StoredCost & { readonly number: number })[];
  /** The changes of pull requests that were merged after `since`. */
  readonly merged: readonly (StoredCost & { readonly number: number; readonly mergedMs: number })[];
}

export interface StoredCost extends Workspace {
  readonly currency: string | null;
  readonly amount: string | null;
  /** The amount by the tags that budgets name, as JSON; null or absent: not all of it is known. */
  readonly divided?: string | null;
}

export const writeDivided = (divided: DividedAmount | null): string | null =>
  divided && JSON.stringify(divided);

/** Anything that is not what `writeDivided` writes is unknown. */
export function parseDivided(text: string | null | undefined): DividedAmount | null {
  const parsed = DividedAmount.safeParse(text == null ? null : parseJson(text));
  return parsed.success ? parsed.data : null;
}

const WORKSPACE = ["org", "project", "workspace"] as const;

/**
 * Reads the amounts that count towards a repository's budgets. The version is read first: a change during the
 * read is detected when a decision based on these amounts is saved.
 */
export async function readBudgetUse(db: Db, repositoryId: number, since: Date): Promise<StoredBudgetUse> {
  const of = <T>(query: { where(column: "repository_id", operator: "=", value: number): T }): T =>
    query.where("repository_id", "=", repositoryId);
  const head = await of(db.selectFrom("budget_versions").select("version")).executeTakeFirst();
  const cost = [...WORKSPACE, "currency", "amount", "divided"] as const;
  const workspaces = await of(db.selectFrom("workspace_costs").select(cost)).execute();
  const claims = await of(db.selectFrom("budget_claims").select([...cost, "number"])).execute();
  const merged = await of(
    db
      .selectFrom("merged_stages")
      .select([...WORKSPACE, "currency", "change as amount", "divided", "number", "merged_at"])
      .where("merged_at", ">", since),
  ).execute();
  const dated = merged.map(({ merged_at, ...row }) => ({ ...row, mergedMs: merged_at.getTime() }));
  return { version: head?.version ?? 0, workspaces, claims, merged: dated };
}

/**
 * Locks the budgets of a repository until the transaction ends and returns their version. Each transaction
 * that changes these amounts, or decides by them, takes this lock.
 */
export async function lockBudgets(trx: Trx, repositoryId: number): Promise<number> {
  const locked = trx
    .selectFrom("budget_versions")
    .select("version")
    .where("repository_id", "=", repositoryId)
    .forUpdate();
  const known = await locked.executeTakeFirst();
  if (known !== undefined) return known.version;
  await insertNew(trx, "budget_versions", { repository_id: repositoryId, version: 0 });
  return (await locked.executeTakeFirstOrThrow()).version;
}

export async function bumpBudgets(trx: Trx, repositoryId: number): Promise<void> {
  await trx
    .updateTable("budget_versions")
    .set(({ eb }) => ({ version: eb("version", "+", 1) }))
    .where("repository_id", "=", repositoryId)
    .execute();
}

/**
 * Replaces the claims of a pull request by those of its new evaluation. The caller has locked the budgets.
 * True: the claims changed.
 */
export async function replaceClaims(
  trx: Trx,
  { pull, report, check, situation, context }: Evaluation,
): Promise<boolean> {
  const key = toPullColumns(pull);
  const passes = check.status === "completed" && ["success", "neutral"].includes(check.conclusion);
  const claims = passes
    ? buildClaims(report, context.budgetUse?.tagKeys ?? []).map((claim) => ({ ...key, ...claim }))
    : [];
  const isBound =
    situation.kind === "evaluated" &&
    situation.verdict.findings.some(
      ({ limit, outcome }) => limit.kind === "budget" && outcome !== "not_applicable",
    );
  if (isBound) await insertNew(trx, "budget_pulls", key);
  else await deleteRows(trx, "budget_pulls", key);
  return swapClaims(trx, key, claims);
}

function buildClaims(report: Evaluation["report"], keys: readonly string[]): readonly StoredCost[] {
  const { stages, refused } = report;
  return [
    ...stages.map((stage) => {
      const { org, project, workspace, state, currency, change, usage } = stage;
      return state === "known" && (usage?.introduced ?? 0) === 0 && currency !== null && change !== null
        ? {
            ...{ org, project, workspace, currency, amount: change as string },
            divided: writeDivided(divideAmount(report, stage, { keys, of: "change" })),
          }
        : { org, project, workspace, currency: null, amount: null, divided: null };
    }),
    // An execution whose workspace may not be shown in this repository: only the fact that it has a cost is
    // known.
    ...refused.flatMap(({ org, project, executionId, reason }) =>
      reason === "not_granted"
        ? [{ org, project, workspace: executionId, currency: null, amount: null, divided: null }]
        : [],
    ),
  ];
}

type PullColumns = ReturnType<typeof toPullColumns>;
type BudgetClaim = PullColumns & StoredCost;

async function swapClaims(trx: Trx, key: PullColumns, claims: readonly BudgetClaim[]): Promise<boolean> {
  const before = await trx.selectFrom("budget_claims").selectAll().where(has(key)).execute();
  if (computeFingerprint(before) === computeFingerprint(claims)) return false;
  await deleteRows(trx, "budget_claims", key);
  await insertNew(trx, "budget_claims", claims);
  await bumpBudgets(trx, key.repository_id);
  return true;
}

const computeFingerprint = (claims: readonly BudgetClaim[]): string =>
  claims
    .map(({ org, project, workspace, currency, amount, divided }) =>
      JSON.stringify([org, project, workspace, currency, amount, divided]),
    )
    .sort()
    .join();

/** Removes the claims of a closed pull request. True: it had claims. */
export function dropClaims(db: Db, pull: PullKey): Promise<boolean> {
  return transact(db, async (trx) => {
    await lockBudgets(trx, pull.repositoryId);
    const key = toPullColumns(pull);
    await deleteRows(trx, "budget_pulls", key);
    return swapClaims(trx, key, []);
  });
}

/** Returns the open pull requests whose last evaluation was checked against a budget. */
export async function listBudgetPulls(
  db: Db,
  repositoryId: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("budget_pulls")
    .innerJoin("pulls", (join) => join.on(isSamePull("pulls", "budget_pulls")))
    .where("pulls.state", "=", "open")
    .where("budget_pulls.repository_id", "=", repositoryId)
    .select("budget_pulls.number")
    .orderBy("budget_pulls.number")
    .limit(limit)
    .execute();
  return rows.map(({ number }) => number);
}
