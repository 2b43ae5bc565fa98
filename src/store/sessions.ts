import type { Selectable } from "kysely";
import { has, updateRows } from "./database/statements.ts";
import type { Db, Tables } from "./tables/tables.ts";

export type StoredSession = Selectable<Tables["sessions"]>;

/** Saves a new session and deletes the ended ones. */
export async function saveSession(db: Db, session: Omit<StoredSession, "renewing_until_ms">): Promise<void> {
  await db.deleteFrom("sessions").where("expires_ms", "<=", session.created_ms).execute();
  await db.insertInto("sessions").values(session).execute();
}

/** Returns a session that has not ended. */
export async function findSession(
  db: Db,
  sessionId: string,
  nowMs: number,
): Promise<StoredSession | undefined> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("expires_ms", ">", nowMs)
    .executeTakeFirst();
}

/**
 * Reserves the renewal of a session's tokens for one caller among all processes. False: the tokens were renewed, another caller
 * renews them, or the session has ended.
 */
export async function claimRenewal(
  db: Db,
  { session_id, tokens }: Pick<StoredSession, "session_id" | "tokens">,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ renewing_until_ms: untilMs })
    .where(has({ session_id, tokens }))
    .where((where) =>
      where.or([where("renewing_until_ms", "is", null), where("renewing_until_ms", "<=", nowMs)]),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends a renewal. `tokens`: the new ones, or those from before it. */
export async function finishRenewal(
  db: Db,
  { session_id, tokens }: Pick<StoredSession, "session_id" | "tokens">,
): Promise<void> {
  await updateRows(db, "sessions", { session_id }, { tokens, renewing_until_ms: null });
}

export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom("sessions").where("session_id", "=", sessionId).execute();
}

/** Ends all sessions of a person, on every replica from its next request on. */
export async function deleteUserSessions(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}
