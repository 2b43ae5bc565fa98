import { createHash } from "node:crypto";
import { type QueryExecutorProvider, sql } from "kysely";
import { createDamageError } from "../database/faults.ts";
import type { Fence } from "../database/lanes.ts";
import { retryLost } from "../database/lost-connection.ts";
import { isOf } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { isReadable } from "../history/readable.ts";
import type { Db, Trx } from "../tables/tables.ts";
import { type DecisionRecord, type MergeRecord, readRecord, type VerdictRecord } from "./decision-record.ts";

/** Counted up when a member of a record is renamed or a word changes its meaning. Old records stay as they were hashed. */
const RECORD_VERSION = 1;

/**
 * Appends a verdict to the chain, unless the chain already has it. Does so outside a transaction: the chain's head is locked for one
 * statement only, because every verdict of every process waits for it.
 *
 * @param fence of the run that came to the verdict; null: nobody else evaluates the pull request
 * @returns false: a later run of the lane has begun, and nothing was appended
 */
export function appendDecision(
  db: Db,
  record: VerdictRecord,
  now: Date,
  fence: Fence | null = null,
): Promise<boolean> {
  return retryLost(
    async () => (await isRepetition(db, record)) || (await appendInLane(db, record, { now, fence })),
  );
}

/** Appends a merge to the chain, unless the chain already has it. Returns whether it was appended. */
export function appendMerge(db: Db, record: MergeRecord, now: Date): Promise<boolean> {
  return transact(db, async (trx) => {
    await lockDecisionHead(trx);
    const known = await trx
      .selectFrom("decisions")
      .select("seq")
      .where(isOf(record))
      .where("kind", "=", "merge")
      .limit(1)
      .executeTakeFirst();
    if (known !== undefined) return false;
    await appendRecord(trx, record, now);
    return true;
  });
}

/**
 * Appends a record to the chain. The hash of each row covers the row before, so that a changed, removed or
 * inserted row is detected. The head row is locked until the statement, or the transaction that it is in, ends: replicas append
 * one after the other. The database hashes, so that nobody waits for a process that holds the lock and has no processor.
 *
 * @throws TollgateError `database_damaged` when nothing was appended, because the head row is gone
 */
export async function appendRecord(
  db: QueryExecutorProvider,
  record: DecisionRecord,
  now: Date,
): Promise<void> {
  await appendInLane(db, record, { now, fence: null });
}

/** Appends a record, unless a later run of the lane has begun: then false. No later run begins while it is appended. */
async function appendInLane(
  db: QueryExecutorProvider,
  record: DecisionRecord,
  { now, fence }: { readonly now: Date; readonly fence: Fence | null },
): Promise<boolean> {
  const { repositoryId, number, headSha, kind } = record;
  const begin = `{"version":${RECORD_VERSION},"seq":`;
  const rest = JSON.stringify({ at: now.toISOString(), ...record }).slice(1);
  const held =
    fence === null
      ? sql`select`
      : sql`select from lanes where lane = ${fence.lane} and token = ${fence.token} for update`;
  const { rows } = await sql<{ isHeld: boolean; isAppended: boolean }>`
    with held as materialized (${held}), head as materialized (
      select seq + 1 as seq, hash as previous from decision_head
      where id = 1 and exists (select from held) for update
    ), line as materialized (
      select seq, previous, ${begin}::text || seq || ',' || ${rest}::text as record from head
    ), sealed as materialized (
      select *, encode(sha256(convert_to(previous || chr(10) || record, 'UTF8')), 'hex') as hash from line
    ), appended as (
      insert into decisions (seq, at, repository_id, number, head_sha, kind, record, previous_hash, hash)
      select seq, ${now}, ${repositoryId}, ${number}, ${headSha}, ${kind}, record, previous, hash from sealed
    ), moved as (
      update decision_head set seq = sealed.seq, hash = sealed.hash from sealed where id = 1
      returning decision_head.seq
    )
    select exists (select from held) as "isHeld", exists (select from moved) as "isAppended"`.execute(db);
  const isHeld = rows[0]?.isHeld !== false;
  if (isHeld && rows[0]?.isAppended !== true)
    throw createDamageError("the row of decision_head, the end of the chain of decisions, is gone");
  return isHeld;
}

const lockDecisionHead = (trx: Trx): Promise<{ seq: number; hash: string }> =>
  trx
    .selectFrom("decision_head")
    .select(["seq", "hash"])
    .where("id", "=", 1)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** SHA-256 over the previous row's hash, a newline and the record's exact text. */
export const computeChainHash = (previous: string, record: string): string =>
  createHash("sha256").update(`${previous}\n${record}`).digest("hex");

/** An evaluation that is tried again comes to the verdict that stands already. */
async function isRepetition(db: Db, record: VerdictRecord): Promise<boolean> {
  const last = await db
    .selectFrom("decisions")
    .select("record")
    .where(isOf(record))
    .where("kind", "=", "verdict")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return false;
  const written = readRecord(last.record);
  return (
    written?.kind === "verdict" &&
    written.digest === record.digest &&
    written.decision === record.decision &&
    written.checkName === record.checkName
  );
}

export const DECISION_KINDS = ["verdict", "approval", "merge", "override", "apply"] as const;
type DecisionKind = (typeof DECISION_KINDS)[number];

/** Which decisions are listed; null: no condition. */
export interface DecisionFilter {
  /** Those of these repositories only, by GitHub's ids. */
  readonly repositoryIds: readonly number[];
  readonly kind: DecisionKind | null;
  /** Login of a person who approved, overrode or merged, in any case. */
  readonly person: string | null;
  readonly rule: string | null;
  readonly number: number | null;
  /** In ms since 1970: the first moment included, and the first moment excluded. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** A decision of the chain with its names. */
export interface ListedDecision {
  readonly id: string;
  readonly atMs: number;
  readonly repositoryId: number;
  /** `owner/name` as last seen. */
  readonly repository: string;
  readonly number: number;
  readonly headSha: string;
  readonly kind: string;
  /** The exact JSON text that was hashed. */
  readonly record: string;
  /** Null where readers may not see figures: an amount can be guessed from the hash of a record that lacks nothing else. */
  readonly hash: string | null;
  /** Whether readers may see the amounts of the record. */
  readonly figures: boolean;
}

export interface DecisionPage {
  readonly decisions: readonly ListedDecision[];
  /** Id of the last decision of this page, after which the next page begins; null: there is none. */
  readonly next: string | null;
}

/** Returns decisions, the newest first. `before`: only those before the decision with this id. */
export async function listDecisions(
  db: Db,
  filter: DecisionFilter,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<DecisionPage> {
  const { kind, number, fromMs, toMs, person, rule } = filter;
  const rows = await db
    .selectFrom("decisions")
    .innerJoin("repositories", "repositories.repository_id", "decisions.repository_id")
    .where(isReadable("decisions.repository_id", filter.repositoryIds))
    .$if(kind !== null, (query) => query.where("decisions.kind", "=", kind))
    .$if(number !== null, (query) => query.where("decisions.number", "=", number))
    .$if(fromMs !== null, (query) => query.where("decisions.at", ">=", new Date(fromMs ?? 0)))
    .$if(toMs !== null, (query) => query.where("decisions.at", "<", new Date(toMs ?? 0)))
    .$if(person !== null, (query) => query.where(namesPerson(person ?? "")))
    .$if(rule !== null, (query) => query.where(namesRule(rule ?? "")))
    .$if(before !== null, (query) =>
      query.where("decisions.seq", "<", (earlier) =>
        earlier.selectFrom("decisions").select("seq").where("id", "=", before),
      ),
    )
    .select(["decisions.id", "decisions.at", "decisions.number", "decisions.kind", "decisions.record"])
    .select(["decisions.head_sha as headSha", "decisions.hash", "decisions.repository_id as repositoryId"])
    .select(["repositories.owner_login", "repositories.name", "repositories.figures"])
    .orderBy("decisions.seq", "desc")
    .limit(limit + 1)
    .execute();
  const decisions = rows.slice(0, limit).map(({ at, owner_login, name, ...row }) => ({
    ...row,
    atMs: at.getTime(),
    figures: row.figures === true,
    hash: row.figures === true ? row.hash : null,
    repository: `${owner_login}/${name}`,
  }));
  return { decisions, next: rows.length > limit ? (decisions.at(-1)?.id ?? null) : null };
}

/**
 * Conditions on the text of a record, because a row that somebody changed may be no JSON. Quotation marks inside of a text are
 * escaped there, so a member with its quotation marks occurs only as a member.
 */
const namesPerson = (login: string) =>
  sql<boolean>`strpos(lower(decisions.record), ${`"login":${JSON.stringify(login.toLowerCase())}`}) > 0`;

const namesRule = (rule: string) => {
  const text = JSON.stringify(rule);
  const inList = `"rules":\\[("([^"\\\\]|\\\\.)*",)*${escapePattern(text)}`;
  return sql<boolean>`(strpos(decisions.record, ${`"rule":${text}`}) > 0 or decisions.record ~ ${inList})`;
};

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
