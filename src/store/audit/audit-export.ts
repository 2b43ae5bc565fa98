import type { Kysely } from "kysely";
import type { Tables } from "../tables/tables.ts";

/**
 * Which decisions are exported with their content; of the others only the hashes are exported. Null: no
 * condition.
 */
export interface AuditFilter {
  readonly repositoryId: number | null;
  /** In ms since 1970: the first moment included, and the first moment excluded. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/**
 * One line of an export. `record` is the exact text that was hashed. A line without a record keeps the chain
 * complete where the filter excludes the decision.
 */
export interface AuditLine {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
  readonly record?: string | undefined;
}

/** The last line: the position and hash that the export must end with. */
export interface AuditHead {
  readonly head: { readonly seq: number; readonly hash: string };
}

const AUDIT_BATCH = 500;

/**
 * Returns the chain in order, from its first decision to its head at the start of the read. Rows are only
 * appended, so later rows change nothing that is read. A slow reader therefore keeps no transaction open.
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
    if (rows.length === 0) break; // rows are missing: the check against the head reports this
  }
  yield { head };
}

/** Returns the position and hash of the newest decision. */
export const readDecisionHead = (db: Kysely<Tables>): Promise<AuditHead["head"]> =>
  db.selectFrom("decision_head").select(["seq", "hash"]).where("id", "=", 1).executeTakeFirstOrThrow();

/** Returns the next decisions of the chain, at most `AUDIT_BATCH`. */
export const selectRowsAfter = (db: Kysely<Tables>, seq: number, end: number) =>
  db
    .selectFrom("decisions")
    .select(["seq", "at", "repository_id", "record", "previous_hash", "hash"])
    .where("seq", ">", seq)
    .where("seq", "<=", end)
    .orderBy("seq")
    .limit(AUDIT_BATCH)
    .execute();

function isSelected(
  row: { readonly repository_id: number; readonly at: Date },
  { repositoryId, fromMs, toMs }: AuditFilter,
): boolean {
  const at = row.at.getTime();
  const inTime = (fromMs === null || at >= fromMs) && (toMs === null || at < toMs);
  return inTime && (repositoryId === null || row.repository_id === repositoryId);
}
