import { type Kysely, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { pickMetricKey } from "./metrics.ts";
import type { MetricKey, UnitMetricTables } from "./tables.ts";

export interface PerspectiveRow {
  readonly perspective_id: string;
  readonly name: string;
  /** JSON array of rules. */
  readonly rules: string;
  /** Distinct identifiers of the unit metrics that it refers to. */
  readonly metrics: readonly string[];
}

/** Returns the imported rules of a perspective; null: there is no such perspective. */
export async function readPerspectiveRules(
  db: Kysely<UnitMetricTables>,
  account: string,
  perspectiveId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom("platform_perspectives")
    .select("rules")
    .where("account", "=", account)
    .where("perspective_id", "=", perspectiveId)
    .executeTakeFirst();
  return row?.rules ?? null;
}

/** Returns the identifiers of the perspectives that refer to the metric, in order. */
export async function listReferences(
  db: Kysely<UnitMetricTables>,
  key: MetricKey,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("platform_perspective_metrics")
    .select("perspective_id")
    .where((eb) => eb.and(pickMetricKey(key)))
    .orderBy(sql`perspective_id collate "C"`)
    .limit(limit)
    .execute();
  return rows.map(({ perspective_id }) => perspective_id);
}

/** Adds perspectives of an account, or replaces those with the same id, including their references. */
export async function putPerspectives(
  trx: Kysely<UnitMetricTables>,
  account: string,
  rows: readonly PerspectiveRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const perspectives = rows.map(({ perspective_id, name, rules }) => ({
    account,
    perspective_id,
    name,
    rules,
  }));
  await trx
    .insertInto("platform_perspectives")
    .values(perspectives)
    .onConflict((conflict) =>
      conflict
        .columns(["account", "perspective_id"])
        .doUpdateSet((eb) => ({ name: eb.ref("excluded.name"), rules: eb.ref("excluded.rules") })),
    )
    .execute();
  const ids = rows.map(({ perspective_id }) => perspective_id);
  await trx
    .deleteFrom("platform_perspective_metrics")
    .where("account", "=", account)
    .where("perspective_id", "=", sql<string>`any(${ids}::text[])`)
    .execute();
  const references = rows.flatMap(({ perspective_id, metrics }) =>
    metrics.map((metric_identifier) => ({ perspective_id, metric_identifier })),
  );
  await sql`
    insert into platform_perspective_metrics (account, metric_identifier, perspective_id)
    select ${account}, new.metric_identifier, new.perspective_id
      from json_to_recordset(${toStorableJson(references)}::json) as new(metric_identifier text, perspective_id text)`.execute(
    trx,
  );
}
