import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { transact } from "./one-connection.ts";
import type { Tables } from "./tables.ts";

/** What is recorded of one verdict or decision: plain JSON, no secrets, no sensitive values. */
export interface DecisionRecord extends PullKey {
  readonly kind: "verdict";
  readonly headSha: string;
  readonly baseRef: string;
  readonly checkName: string;
  /** Digest of head, base branch, policy blobs and facts. */
  readonly digest: string;
  readonly situation: string;
  readonly decision: string;
  readonly policyBlobs: readonly string[];
  readonly findings: readonly {
    readonly rule: string;
    readonly outcome: string;
    readonly subject: string | null;
  }[];
}

/**
 * Appends a record to the chain: each row's hash covers the row before it, so a row changed, removed or slipped in later
 * shows. The head row is locked for the time of the append, which puts several replicas in one order.
 */
export function appendDecision(db: Kysely<Tables>, record: DecisionRecord, now: Date): Promise<void> {
  return transact(db, async (trx) => {
    const head = await trx
      .selectFrom("decision_head")
      .selectAll()
      .where("id", "=", 1)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (await isRepetition(trx, record)) return;
    const seq = head.seq + 1;
    const text = JSON.stringify({ seq, at: now.toISOString(), ...record });
    const hash = chainHash(head.hash, text);
    await trx
      .insertInto("decisions")
      .values({
        seq,
        at: now,
        repository_id: record.repositoryId,
        number: record.number,
        head_sha: record.headSha,
        record: text,
        previous_hash: head.hash,
        hash,
      })
      .execute();
    await trx.updateTable("decision_head").set({ seq, hash }).where("id", "=", 1).execute();
  });
}

/** SHA-256 over the previous row's hash, a newline and the record's exact text. */
export const chainHash = (previous: string, record: string): string =>
  createHash("sha256").update(`${previous}\n${record}`).digest("hex");

/** A run that is tried again comes to the decision that stands already. */
async function isRepetition(trx: Transaction<Tables>, record: DecisionRecord): Promise<boolean> {
  const last = await trx
    .selectFrom("decisions")
    .select("record")
    .where("repository_id", "=", record.repositoryId)
    .where("number", "=", record.number)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return false;
  const { digest, decision, checkName } = JSON.parse(last.record) as DecisionRecord; // written by this file alone
  return digest === record.digest && decision === record.decision && checkName === record.checkName;
}
