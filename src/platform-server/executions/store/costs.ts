import { setImmediate } from "node:timers/promises";
import { type Kysely, type NotNull, sql } from "kysely";
import { TollgateError } from "../../../kernel/errors.ts";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../../area/keys.ts";
import { digestText, type TextParts } from "../../area/text-parts.ts";
import type { ExecutionTables } from "./tables.ts";

/** A stage's costs in all, and those of its modules. Both are JSON texts, which preserve the sent decimals. */
export const COST_KINDS = ["cost", "modules"] as const;
export type CostKind = (typeof COST_KINDS)[number];

/** The costs of a stage by the SHA-256 of their texts. Null: not sent. */
export type CostDigests = Readonly<Record<CostKind, string | null>>;

const STAGE_COLUMNS = ["account", "org", "project", "pipeline_execution_id", "pipeline_stage_id"] as const;

/** Costs that are to be stored. */
export interface StatedCosts {
  readonly kind: CostKind;
  readonly parts: TextParts;
  readonly digest: string;
}

/**
 * Returns which costs of a stage are stored. Until the transaction ends, nobody changes them or deletes the stage. Null: the stage was
 * deleted.
 */
export async function lockCosts(trx: Kysely<ExecutionTables>, key: StageKey): Promise<CostDigests | null> {
  await beginCosts(trx, key);
  return (await selectDigests(trx, key).forUpdate().executeTakeFirst()) ?? null;
}

/** Returns which costs of a stage are stored. */
export async function readCostDigests(db: Kysely<ExecutionTables>, key: StageKey): Promise<CostDigests> {
  return (await selectDigests(db, key).executeTakeFirst()) ?? { cost: null, modules: null };
}

/** Creates the row for a stage's costs, and nothing for a stage that does not exist. */
const beginCosts = (db: Kysely<ExecutionTables>, key: StageKey) =>
  db
    .insertInto("platform_costs")
    .columns(STAGE_COLUMNS)
    .expression(({ selectFrom }) =>
      selectFrom("platform_executions")
        .select(STAGE_COLUMNS)
        .where((eb) => eb.and(pickStageKey(key)))
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

const selectDigests = (db: Kysely<ExecutionTables>, key: StageKey) =>
  db
    .selectFrom("platform_costs")
    .select([selectDigest("cost").as("cost"), selectDigest("modules").as("modules")])
    .where((eb) => eb.and(pickStageKey(key)));

const selectDigest = (kind: CostKind) =>
  sql<string | null>`coalesce(${sql.ref(`${kind}_digest`)},
    encode(sha256(convert_to(${sql.ref(kind)}, 'UTF8')), 'hex'))`;

/** Stores a text of several parts, which nobody reads before `saveCosts`. The event loop runs after each part. */
export async function saveCostParts(
  db: Kysely<ExecutionTables>,
  key: StageKey,
  { parts, digest }: StatedCosts,
): Promise<void> {
  const { account, org, project, pipeline_execution_id, pipeline_stage_id } = key;
  await beginCosts(db, key);
  for (const [part, text] of parts.entries()) {
    // Nothing is stored of a stage that is deleted meanwhile.
    await sql`
      insert into platform_cost_parts
        (account, org, project, pipeline_execution_id, pipeline_stage_id, digest, part, text)
      select account, org, project, pipeline_execution_id, pipeline_stage_id, ${digest}, ${part}::integer, ${text}
      from platform_costs
      where account = ${account} and org = ${org} and project = ${project}
        and pipeline_execution_id = ${pipeline_execution_id} and pipeline_stage_id = ${pipeline_stage_id}
      for key share
      on conflict do nothing`.execute(db);
    await setImmediate();
  }
}

/**
 * Stands for a text in parts. It is not valid JSON, so that an earlier version fails instead of treating the costs as absent.
 */
const IN_PARTS = "in parts";

/** Stores costs that the stage does not have yet. `saveCostParts` stored those of several parts before. */
export async function saveCosts(
  trx: Kysely<ExecutionTables>,
  key: StageKey,
  { kind, parts, digest }: StatedCosts,
): Promise<void> {
  const isWhole = parts.length === 1;
  await trx
    .updateTable("platform_costs")
    .set(isWhole ? { [kind]: parts[0] } : { [kind]: IN_PARTS, [`${kind}_digest`]: digest })
    .where((eb) => eb.and(pickStageKey(key)))
    .execute();
}

/** Costs of a stage, of one kind. */
export interface StoredCosts extends StageKey {
  readonly kind: CostKind;
  /** The whole text, or `IN_PARTS`. */
  readonly text: string;
  /** SHA-256 of a text in parts; null: it is whole. */
  readonly digest: string | null;
}

/** Returns the costs of an execution's stages, oldest stage first; stages without them are omitted. */
export async function listCosts(
  db: Kysely<ExecutionTables>,
  key: ExecutionKey,
  kind: CostKind,
): Promise<readonly StoredCosts[]> {
  const rows = await db
    .selectFrom("platform_costs as costs")
    .innerJoin("platform_executions as run", (join) =>
      join
        .onRef("run.account", "=", "costs.account")
        .onRef("run.org", "=", "costs.org")
        .onRef("run.project", "=", "costs.project")
        .onRef("run.pipeline_execution_id", "=", "costs.pipeline_execution_id")
        .onRef("run.pipeline_stage_id", "=", "costs.pipeline_stage_id"),
    )
    .select(["run.pipeline_stage_id as stage", `costs.${kind} as text`, `costs.${kind}_digest as digest`])
    .where((eb) => eb.and(prefixColumns(key)))
    .where(`costs.${kind}`, "is not", null)
    .$narrowType<{ text: NotNull }>()
    .orderBy("run.created_ms")
    .orderBy("run.pipeline_stage_id")
    .execute();
  return rows.map(({ stage, text, digest }) => {
    return { ...pickExecutionKey(key), pipeline_stage_id: stage, kind, text, digest };
  });
}

/**
 * Reads the text of the costs: one part as it is stored, or several that were checked against their digest. Null: the stage was
 * deleted meanwhile.
 *
 * @throws TollgateError `stored_value_unreadable`
 */
export async function readCostText(
  db: Kysely<ExecutionTables>,
  costs: StoredCosts,
): Promise<TextParts | null> {
  const { kind, text, digest } = costs;
  if (digest === null) return [text];
  const parts = await readParts(db, costs, digest);
  if ((await digestText(parts)) === digest) return parts;
  if ((await readCostDigests(db, costs))[kind] !== digest) return null;
  throw new TollgateError(
    "stored_value_unreadable",
    `the parts of a stage's ${kind === "cost" ? "cost change" : "module costs"} in the database are damaged`,
    { hint: "Parts are missing or changed: restore a backup." },
  );
}

async function readParts(db: Kysely<ExecutionTables>, key: StageKey, digest: string): Promise<TextParts> {
  const parts: string[] = [];
  for (;;) {
    const row = await db
      .selectFrom("platform_cost_parts")
      .select("text")
      .where((eb) => eb.and({ ...pickStageKey(key), digest, part: parts.length }))
      .executeTakeFirst();
    if (row === undefined) return parts;
    parts.push(row.text);
    await setImmediate();
  }
}

function prefixColumns(key: ExecutionKey) {
  const { account, org, project, pipeline_execution_id } = pickExecutionKey(key);
  return {
    "costs.account": account,
    "costs.org": org,
    "costs.project": project,
    "costs.pipeline_execution_id": pipeline_execution_id,
  };
}
