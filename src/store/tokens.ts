import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { Tables } from "./tables/tables.ts";

/**
 * The permissions of a token. `api`: everything in its account. `import`: write and read one org and project
 * for one repository. `notify`: announce executions of one repository to the bot; no access to the platform.
 */
export type TokenGrant =
  | { readonly purpose: "api"; readonly account: string }
  | {
      readonly purpose: "import" | "notify";
      readonly account: string;
      /** GitHub's numeric id. */
      readonly repositoryId: number;
      readonly org: string;
      readonly project: string;
    };

export type Token = TokenGrant & { readonly id: string };

const TOKEN_FORMAT = /^tg_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
/** "Last used" has a resolution of one minute, so that most reads do not write. */
const LAST_USED_GRAIN_MS = 60_000;
const NO_HASH = "0".repeat(64);

/**
 * Creates a token. `secret` is the whole text to send as `x-api-key`; it is not stored and cannot be shown
 * again. It has 256 random bits, which cannot be guessed, so a fast hash is sufficient.
 */
export async function createToken(
  db: Kysely<Tables>,
  grant: TokenGrant,
  clock: Clock,
): Promise<{ id: string; secret: string }> {
  const id = randomBytes(8).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  const bound = grant.purpose === "api" ? null : grant;
  await db
    .insertInto("tokens")
    .values({
      id,
      account: grant.account,
      purpose: grant.purpose,
      repository_id: bound?.repositoryId ?? null,
      org: bound?.org ?? null,
      project: bound?.project ?? null,
      secret_hash: hashSecret(secret),
      created_ms: clock.now(),
      last_used_ms: null,
      revoked_ms: null,
    })
    .execute();
  return { id, secret: `tg_${id}_${secret}` };
}

/**
 * Returns the token with this text; null: malformed, unknown, wrong secret or revoked, in about the same
 * time.
 */
export async function verifyToken(db: Kysely<Tables>, text: string, clock: Clock): Promise<Token | null> {
  const [, id = "", secret = ""] = TOKEN_FORMAT.exec(text) ?? [];
  const row = await db.selectFrom("tokens").selectAll().where("id", "=", id).executeTakeFirst();
  const matches = timingSafeEqual(
    Buffer.from(row?.secret_hash ?? NO_HASH, "hex"),
    Buffer.from(hashSecret(secret), "hex"),
  );
  if (row === undefined || !matches || row.revoked_ms !== null) return null;
  await recordUse(db, row, clock);
  return parseGrant(row);
}

/** Revokes a token; data written with it stays. False: there is no such token. */
export async function revokeToken(db: Kysely<Tables>, id: string, clock: Clock): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("tokens")
    .set({ revoked_ms: clock.now() })
    .where("id", "=", id)
    .where("revoked_ms", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function recordUse(
  db: Kysely<Tables>,
  row: { id: string; last_used_ms: number | null },
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  if (row.last_used_ms !== null && Math.abs(now - row.last_used_ms) < LAST_USED_GRAIN_MS) return;
  await db.updateTable("tokens").set({ last_used_ms: now }).where("id", "=", row.id).execute();
}

function parseGrant(row: {
  id: string;
  account: string;
  purpose: Token["purpose"];
  repository_id: number | null;
  org: string | null;
  project: string | null;
}): Token | null {
  const { id, account, purpose } = row;
  if (purpose === "api") return { id, account, purpose };
  if (row.repository_id === null || row.org === null || row.project === null) return null;
  return { id, account, purpose, repositoryId: row.repository_id, org: row.org, project: row.project };
}

const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
