import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import { toStorableJson } from "../../kernel/storable.ts";
import {
  CATEGORIES,
  type Category,
  CHANGE_TYPES,
  ChangeRow,
  type ChangeRowDetail,
} from "../../platform/contract/resource-changes.ts";
import { deleteRows, has } from "../../store/database/statements.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { pickSnapshotKey, type SnapshotKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import type { Detail } from "./element-detail.ts";
import type { CategoryIndex } from "./snapshot-index.ts";

type PageKey = SnapshotKey & { readonly category: Category; readonly page: number };

/** A row as listings contain it, without its ordinal, which the commit decides. */
const StoredRow = ChangeRow.omit({ ordinal: true }).extend({
  category: z.enum(CATEGORIES),
  change: z.enum(CHANGE_TYPES).optional(),
});
export type StoredRow = z.output<typeof StoredRow>;
/** The attribute data of a row as the wire has it. */
type WireDetail = Omit<z.input<typeof ChangeRowDetail>, keyof WireRow>;
export type WireRow = z.input<typeof ChangeRow>;

export interface NewRow {
  readonly row: StoredRow;
  readonly detail: Detail;
}

/** Rows of one statement: the embedded database runs in this thread and blocks it during one. */
const AT_ONCE = 500;

export async function replaceRows(trx: Db, key: PageKey, rows: readonly NewRow[]): Promise<void> {
  const { account, snapshot_id, category, page } = key;
  await deleteRows(trx, "platform_rows", { account, snapshot_id, category, page });
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const values = rows.slice(from, from + AT_ONCE).map(({ row, detail }, index) => ({
      position: from + index,
      row: JSON.stringify(row),
      detail: JSON.stringify(detail),
    }));
    await sql`
      insert into platform_rows (account, snapshot_id, category, page, position, row, detail)
      select ${account}, ${snapshot_id}::bigint, ${category}, ${page}::integer, new.*
      from json_to_recordset(${toStorableJson(values)}::json) as new(position integer, row text, detail text)`.execute(
      trx,
    );
    await setImmediate();
  }
}

const parseRow = createStoredJsonParser("a row of resource changes", StoredRow);

/** Reads a page's rows in their order, in several statements. */
export async function* readPage(
  db: Db,
  key: PageKey,
): AsyncGenerator<{ readonly position: number; readonly row: StoredRow }> {
  for (let from = 0, found = AT_ONCE; found === AT_ONCE; from += AT_ONCE) {
    const rows = await db
      .selectFrom("platform_rows")
      .select(["position", "row"])
      .where(has({ ...pickSnapshotKey(key), category: key.category, page: key.page }))
      .where("position", ">=", from)
      .where("position", "<", from + AT_ONCE)
      .orderBy("position")
      .execute();
    for (const { position, row } of rows) yield { position, row: parseRow(row) };
    found = rows.length;
    await setImmediate();
  }
}

/** Reads the rows with these ordinals, in their order. */
export async function readRows(
  db: Db,
  { account, snapshot_id }: SnapshotKey,
  index: CategoryIndex,
  ordinals: readonly number[],
): Promise<WireRow[]> {
  const all: WireRow[] = [];
  for (let from = 0; from < ordinals.length; from += AT_ONCE) {
    const part = ordinals.slice(from, from + AT_ONCE);
    const pages = part.map((ordinal) => index.pages[ordinal]);
    const positions = part.map((ordinal) => index.positions[ordinal]);
    // Each place is a separate lookup (`limit 1`): the embedded database collects no statistics, and without them the planner
    // would read the whole table.
    const { rows } = await sql<{ ordinal: number; row: string }>`
      select wanted.ordinal, item.row
      from unnest(${part}::integer[], ${pages}::integer[], ${positions}::integer[]) as wanted(ordinal, page, position)
      cross join lateral (select row from platform_rows as one
        where one.account = ${account} and one.snapshot_id = ${snapshot_id} and one.category = ${index.category}
          and one.page = wanted.page and one.position = wanted.position limit 1) as item
      order by wanted.ordinal`.execute(db);
    for (const { ordinal, row } of rows) all.push({ ...parseRow(row), ordinal });
    if (ordinals.length > AT_ONCE) await setImmediate();
  }
  return all;
}

/** Returns the attribute data of one row; null: past retention. */
export async function readDetail(
  db: Db,
  key: SnapshotKey,
  { category, pages, positions }: CategoryIndex,
  ordinal: number,
): Promise<WireDetail | null> {
  const place = { category, page: pages[ordinal] ?? 0, position: positions[ordinal] ?? 0 };
  const row = await db
    .selectFrom("platform_rows")
    .select("detail")
    .where(has({ ...pickSnapshotKey(key), ...place }))
    .executeTakeFirst();
  return row?.detail == null ? null : (JSON.parse(row.detail) as WireDetail); // as `replaceRows` wrote it; a change type unknown to us leaves as it came
}
