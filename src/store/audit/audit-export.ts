import type { Kysely } from "kysely";
import type { Tables } from "../tables/tables.ts";

/** Which decisions are written out; the others stand in the chain without what they say. Null: all. */
export interface AuditFilter {
  readonly repositoryId: number | null;
  /** First and first-not moment, ms since 1970. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/**
 * One line of an export. `record` is the exact text that was hashed; a line without it keeps the chain whole where the
 * decision was not asked for.
 */
export interface AuditLine {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly record?: string | undefined;
}

/** The last line: what the export must come to. */
export interface AuditHead {
  readonly head: { readonly seq: number; readonly hash: string };
}

const BATCH = 500;

/**
 * The chain from its first decision to the one that is its head when reading begins, in order. Rows are only ever appended,
 * so what comes meanwhile changes none of it, and no transaction has to stay open while somebody reads slowly.
 */
export async function* readAuditLines(
  db: Kysely<Tables>,
  filter: AuditFilter,
): AsyncGenerator<AuditLine | AuditHead> {
  const head = await readDecisionHead(db);
  for (let last = 0; last < head.seq; ) {
    const rows = await selectRowsAfter(db, last, head.seq);
    for (const row of rows) {
      const { seq, previous_hash: previous, hash, record } = row;
      yield { seq, previous, hash, ...(isSelected(row, filter) ? { record } : {}) };
      last = seq;
    }
    if (rows.length === 0) break; // rows are gone: the head tells on them
  }
  yield { head };
}

const readDecisionHead = (db: Kysely<Tables>): Promise<AuditHead["head"]> =>
  db.selectFrom("decision_head").select(["seq", "hash"]).where("id", "=", 1).executeTakeFirstOrThrow();

const selectRowsAfter = (db: Kysely<Tables>, seq: number, end: number) =>
  db
    .selectFrom("decisions")
    .select(["seq", "at", "repository_id", "record", "previous_hash", "hash"])
    .where("seq", ">", seq)
    .where("seq", "<=", end)
    .orderBy("seq")
    .limit(BATCH)
    .execute();

function isSelected(
  row: { readonly repository_id: number; readonly at: Date },
  { repositoryId, fromMs, toMs }: AuditFilter,
): boolean {
  const at = row.at.getTime();
  const inTime = (fromMs === null || at >= fromMs) && (toMs === null || at < toMs);
  return inTime && (repositoryId === null || row.repository_id === repositoryId);
}
