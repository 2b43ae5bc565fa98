import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

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
  readonly record?: string;
}

/** The last line: what the export must come to. */
export interface AuditHead {
  readonly head: { readonly seq: number; readonly hash: string };
}

const BATCH = 500;

/** The chain from its first decision to its newest, in order. */
export async function* auditLines(
  db: Kysely<Tables>,
  filter: AuditFilter,
): AsyncGenerator<AuditLine | AuditHead> {
  let last = { seq: 0, hash: "0".repeat(64) };
  for (;;) {
    const rows = await db
      .selectFrom("decisions")
      .select(["seq", "at", "repository_id", "record", "previous_hash", "hash"])
      .where("seq", ">", last.seq)
      .orderBy("seq")
      .limit(BATCH)
      .execute();
    for (const row of rows) {
      const { seq, previous_hash: previous, hash, record } = row;
      yield { seq, previous, hash, ...(isAsked(row, filter) ? { record } : {}) };
      last = { seq, hash };
    }
    if (rows.length < BATCH) break;
  }
  yield { head: last };
}

function isAsked(
  row: { readonly repository_id: number; readonly at: Date },
  { repositoryId, fromMs, toMs }: AuditFilter,
): boolean {
  const at = row.at.getTime();
  const inTime = (fromMs === null || at >= fromMs) && (toMs === null || at < toMs);
  return inTime && (repositoryId === null || row.repository_id === repositoryId);
}
