import { type RawBuilder, sql } from "kysely";
import type { Fence } from "./database/lanes.ts";
import { has, isFound, NOW, updateRows } from "./database/statements.ts";
import type { Db } from "./tables/tables.ts";

export interface CheckSlot {
  readonly repositoryId: number;
  readonly headSha: string;
  readonly checkName: string;
}

/** What a check is about, beside its commit. */
export interface BaseBranch {
  /** Null: the name is a former one there. */
  readonly baseRef: string | null;
}

export interface StoredCheckRun {
  /** Null: not created yet. */
  readonly checkRunId: number | null;
  /** Null: unknown. */
  readonly digest: string | null;
  readonly completed: boolean;
  /** Digest of its annotations; null: unknown. */
  readonly annotations: string | null;
}

/**
 * Whether requests without an answer, of an earlier writer, may still take effect. `past`: they cannot any more, but nobody has read
 * since then what they did.
 */
export type LateRequests = "none" | "possible" | "past";

/** The stored check at the beginning of a turn to write it. */
export interface CheckTurn extends StoredCheckRun {
  /** Whether GitHub may show something else than what is stored: a writer did not end its turn, or a request had no answer. */
  readonly isUncertain: boolean;
  readonly lateRequests: LateRequests;
  /** Another number at the end of the turn: the check was written out of turn meanwhile. */
  readonly version: number;
}

/** In ms, by the database's clock: longer than the time after which a turn is renewed and the longest request together. */
const TURN_MS = 20_000;

/** A request without an answer takes effect within this time after it was given up, in ms, or never. */
const LATE_MS = 30_000;
/** Time after which a request without an answer can no longer take effect, in ms. */
export const LATE_REQUESTS_END_MS = LATE_MS + 1_000;

/** What `unanswered_at` says now, by the database's clock. */
export const selectLateRequests = (
  unansweredAt: RawBuilder<unknown>,
): RawBuilder<LateRequests> => sql<LateRequests>`case
  when ${unansweredAt} is null then 'none'
  when abs(extract(epoch from clock_timestamp() - ${unansweredAt})) * 1000 > ${LATE_MS} then 'past' else 'possible' end`;

const formatWriter = ({ lane, token }: Fence): string => `${lane}#${token}`;

/**
 * Takes the turn to write a check: pull requests with one head write it from lanes of their own, and two of them would create two check
 * runs. A turn ends with `endCheckTurn`, with a later run of its lane, or when it was not renewed. Null: another lane has the turn.
 */
export async function takeCheckTurn(
  db: Db,
  slot: CheckSlot & BaseBranch,
  { fence, now }: { readonly fence: Fence; readonly now: Date },
): Promise<CheckTurn | null> {
  const taken = { writer: formatWriter(fence), writing_since: NOW };
  const baseRefs = slot.baseRef === null ? [] : [slot.baseRef];
  const isOver = sql<boolean>`abs(extract(epoch from ${NOW} - check_runs.writing_since)) * 1000 > ${TURN_MS}`;
  const isOwnLane = sql<boolean>`split_part(check_runs.writer, '#', 1) = ${fence.lane}
    and split_part(check_runs.writer, '#', 2)::bigint <= ${fence.token}`;
  const row = await db
    .insertInto("check_runs")
    .values({
      ...toColumns(slot),
      completed: false,
      version: 1,
      updated_at: now,
      base_refs: baseRefs,
      ...taken,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "head_sha", "name"])
        .doUpdateSet({
          ...taken,
          is_interrupted: sql`check_runs.is_interrupted or check_runs.writer is not null`,
          unanswered_at: sql`case when check_runs.writer is null then check_runs.unanswered_at else ${NOW} end`,
          base_refs: sql`check_runs.base_refs || array(
            select added from unnest(excluded.base_refs) as added where added <> all(check_runs.base_refs))`,
        })
        .where(({ or }) => or([sql<boolean>`check_runs.writer is null`, isOver, isOwnLane])),
    )
    .returning([
      "check_run_id as checkRunId",
      "digest",
      "completed",
      "annotations",
      "is_interrupted",
      "version",
    ])
    .returning(selectLateRequests(sql`check_runs.unanswered_at`).as("lateRequests"))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { is_interrupted, ...turn } = row;
  return { ...turn, isUncertain: is_interrupted || turn.lateRequests !== "none" };
}

const toColumns = ({ repositoryId, headSha, checkName }: CheckSlot) => ({
  repository_id: repositoryId,
  head_sha: headSha,
  name: checkName,
});

const updateInTurn = (db: Db, slot: CheckSlot, fence: Fence) =>
  db.updateTable("check_runs").where(has({ ...toColumns(slot), writer: formatWriter(fence) }));

/** Renews a turn, for long enough to send a request. False: another writer took it. */
export async function renewCheckTurn(db: Db, slot: CheckSlot, fence: Fence): Promise<boolean> {
  const { numUpdatedRows } = await updateInTurn(db, slot, fence)
    .set({ writing_since: NOW })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface EndOfCheckTurn {
  readonly fence: Fence;
  readonly turn: Pick<CheckTurn, "version" | "lateRequests">;
  /** What GitHub shows now; null: nothing was written. */
  readonly shown: StoredCheckRun | null;
  /** Whether nothing was written because GitHub has no check run of the slot. */
  readonly isEmpty: boolean;
  readonly now: Date;
}

/**
 * `unanswered`: a request of an earlier turn, which was not ended, may still take effect. `overtaken`: another writer wrote the check
 * meanwhile, and nothing was saved.
 */
export type EndedTurn = "certain" | "unanswered" | "overtaken";

/** Ends a turn and saves what GitHub shows. What late requests did is known once a turn that began after them has written, or found nothing. */
export async function endCheckTurn(
  db: Db,
  slot: CheckSlot,
  { fence, turn, shown, isEmpty, now }: EndOfCheckTurn,
): Promise<EndedTurn> {
  const saved = shown && {
    check_run_id: shown.checkRunId,
    digest: shown.digest,
    completed: shown.completed,
    annotations: shown.annotations,
    is_interrupted: false,
    updated_at: now,
  };
  const isKnown = turn.lateRequests === "past" && (shown !== null || isEmpty);
  const { numUpdatedRows } = await updateInTurn(db, slot, fence)
    .where("version", "=", turn.version)
    .set({ ...saved, ...(isKnown && { unanswered_at: null }), writer: null, writing_since: null })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return "overtaken";
  return turn.lateRequests === "possible" ? "unanswered" : "certain";
}

/**
 * Marks that a writer wrote the check beside another one, so that nobody knows what GitHub shows: whoever writes now tries again, and the
 * next turn reads GitHub.
 */
export async function interruptCheckTurns(db: Db, slot: CheckSlot): Promise<void> {
  await updateRows(db, "check_runs", toColumns(slot), {
    is_interrupted: true,
    unanswered_at: NOW,
    version: sql`version + 1`,
  });
}

/**
 * Former names of the check of a commit for a base branch, `checkName` being the one that its policy gives now; and names of checks there
 * that late requests may change although no open pull request has a check of that name.
 */
export async function listFormerNames(
  db: Db,
  { repositoryId, headSha, checkName, baseRef }: CheckSlot & { readonly baseRef: string },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("check_runs")
    .select("name")
    .where(has({ repository_id: repositoryId, head_sha: headSha }))
    .where("name", "!=", checkName)
    .where(({ or, and, eb, selectFrom }) =>
      or([
        sql<boolean>`${baseRef} = any(check_runs.base_refs)`,
        and([
          eb("unanswered_at", "is not", null),
          eb(
            "name",
            "not in",
            selectFrom("evaluations")
              .select("check_name")
              .where(has({ repository_id: repositoryId, head_sha: headSha })),
          ),
        ]),
      ]),
    )
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

export const hasCheckRun = (db: Db, slot: CheckSlot): Promise<boolean> =>
  isFound(
    db
      .selectFrom("check_runs")
      .select("name")
      .where(has(toColumns(slot)))
      .where("check_run_id", "is not", null),
  );

/** Makes the next evaluation write the check again even without a change: somebody requested a re-check. */
export async function forgetCheckDigests(db: Db, repositoryId: number, headSha: string): Promise<void> {
  await updateRows(db, "check_runs", { repository_id: repositoryId, head_sha: headSha }, { digest: null });
}
