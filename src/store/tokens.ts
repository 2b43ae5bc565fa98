import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import { type Clock, DAY_MS, MINUTE_MS } from "../kernel/clock.ts";
import { insertNew, updateRows } from "./database/statements.ts";
import type { Db, Tables } from "./tables/tables.ts";

/**
 * The permissions of a token. `api`: everything in its account. `import`: write and read one org and project
 * for one repository. `notify`: announce executions of one repository to the bot; no access to the platform. `read`: read
 * Tollgate's own API; no access to the platform.
 */
export type TokenGrant =
  | {
      readonly purpose: "read";
      readonly account: string;
      /** GitHub's numeric ids; null: not bound to one. */
      readonly repositoryId: number | null;
      readonly ownerId: number | null;
    }
  | { readonly purpose: "api"; readonly account: string }
  | {
      readonly purpose: "import" | "notify";
      readonly account: string;
      readonly repositoryId: number;
      readonly org: string;
      readonly project: string;
    };

export type Token = TokenGrant & {
  readonly id: string;
  /** The operator's word for it; null: none. */
  readonly name: string | null;
  /** The only commit that data written with it may belong to; null: any commit. */
  readonly headSha: string | null;
  /** When its last use was recorded, ms since 1970; null: never. */
  readonly lastUsedMs: number | null;
};

/** What is recorded of a token beside its permissions. Absent: unknown, or without a limit. */
export interface TokenDetails {
  readonly name?: string;
  readonly createdBy?: string;
  /** For how long it is valid, in ms; absent: until it is revoked. */
  readonly validMs?: number;
}

/** A token as it is shown once. */
export interface NewToken {
  readonly id: string;
  /** The whole text to send as `x-api-key`. */
  readonly secret: string;
  /** ms since 1970; null: valid until it is revoked. */
  readonly expiresMs: number | null;
}

/** Creator of the tokens by which the parts of Tollgate call each other on one machine. No account has a colon in its name. */
export const INTERNAL_CREATOR = "tollgate:internal";

const TOKEN_FORMAT = /^tg_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
const NO_HASH = "0".repeat(64);

/**
 * Creates a token. Its secret is not stored and cannot be shown again. It has 256 random bits, which cannot be guessed, so a fast hash is sufficient.
 */
export async function createToken(
  db: Db,
  grant: TokenGrant,
  clock: Clock,
  details: TokenDetails = {},
): Promise<NewToken> {
  const { row, secret } = buildToken(randomBytes(8).toString("hex"), { grant, details, clock });
  await db.insertInto("tokens").values(row).execute();
  return { id: row.id, secret, expiresMs: row.expires_ms };
}

export interface JobToken {
  readonly grant: TokenGrant & { readonly purpose: "import" };
  readonly details: TokenDetails & { readonly validMs: number };
  readonly headSha: string;
  /** Identifies the credential that the job exchanges for this token. */
  readonly exchanged: string;
}

/** Rows of jobs are kept after they expired for this time: each row keeps its credential from being exchanged again. */
const JOB_TOKEN_RETENTION_MS = DAY_MS;

/**
 * Creates the token of a CI job, as `createToken`. Null: the credential was exchanged before. Rows of long
 * expired jobs are deleted.
 */
export async function createJobToken(
  db: Db,
  { grant, details, headSha, exchanged }: JobToken,
  clock: Clock,
): Promise<NewToken | null> {
  await db
    .deleteFrom("tokens")
    .where("head_sha", "is not", null)
    .where("expires_ms", "<", clock.now() - JOB_TOKEN_RETENTION_MS)
    .execute();
  // The primary key admits one token for each credential.
  const id = createHash("sha256").update(exchanged).digest("hex").slice(0, 16);
  const { row, secret } = buildToken(id, { grant, details, clock });
  const isNew = (await insertNew(db, "tokens", { ...row, head_sha: headSha })) > 0;
  return isNew ? { id, secret, expiresMs: row.expires_ms } : null;
}

function buildToken(
  id: string,
  { grant, details, clock }: { grant: TokenGrant; details: TokenDetails; clock: Clock },
) {
  const secret = randomBytes(32).toString("base64url");
  const now = clock.now();
  const bound = grant.purpose === "api" ? null : grant;
  const project = grant.purpose === "api" || grant.purpose === "read" ? null : grant;
  const row = {
    id,
    account: grant.account,
    purpose: grant.purpose,
    repository_id: bound?.repositoryId ?? null,
    owner_id: grant.purpose === "read" ? grant.ownerId : null,
    org: project?.org ?? null,
    project: project?.project ?? null,
    secret_hash: hashSecret(secret),
    name: details.name ?? null,
    created_by: details.createdBy ?? null,
    expires_ms: details.validMs === undefined ? null : now + details.validMs,
    created_ms: now,
  };
  return { row, secret: `tg_${id}_${secret}` };
}

/** Returns the token with this text; null: malformed, unknown, wrong secret, expired or revoked, in about the same time. */
export async function verifyToken(db: Db, text: string, clock: Clock): Promise<Token | null> {
  const [, id = "", secret = ""] = TOKEN_FORMAT.exec(text) ?? [];
  const row = await db.selectFrom("tokens").selectAll().where("id", "=", id).executeTakeFirst();
  const matches = timingSafeEqual(
    Buffer.from(row?.secret_hash ?? NO_HASH, "hex"),
    Buffer.from(hashSecret(secret), "hex"),
  );
  if (row === undefined || !matches || row.revoked_ms !== null) return null;
  if (row.expires_ms !== null && row.expires_ms <= clock.now()) return null;
  return parseGrant(row);
}

/** "Last used" has a resolution of five minutes, so that most requests do not write. */
const LAST_USED_GRAIN_MS = 5 * MINUTE_MS;

/** Records that a request with the token was accepted. Call it after the acceptance: refused requests do not count. */
export async function recordTokenUse(
  db: Db,
  { id, lastUsedMs }: Pick<Token, "id" | "lastUsedMs">,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  if (lastUsedMs !== null && Math.abs(now - lastUsedMs) < LAST_USED_GRAIN_MS) return;
  await db.updateTable("tokens").set({ last_used_ms: now }).where("id", "=", id).execute();
}

/** A token as an operator sees it: nothing of its secret. Times in ms since 1970. */
export interface TokenRecord extends Omit<Selectable<Tables["tokens"]>, "secret_hash"> {
  /** `owner/name` as last seen; null: bound to none, or the repository is not known any longer. */
  readonly repository: string | null;
}

/** Returns all tokens, newest first. */
export async function listTokens(db: Db): Promise<readonly TokenRecord[]> {
  const rows = await db
    .selectFrom("tokens")
    .leftJoin("repositories", "repositories.repository_id", "tokens.repository_id")
    .selectAll("tokens")
    .select(["repositories.owner_login", "repositories.name as repository_name"])
    .orderBy("created_ms", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ secret_hash: _, owner_login, repository_name, ...row }) => ({
    ...row,
    repository: owner_login === null ? null : `${owner_login}/${repository_name}`,
  }));
}

/** Revokes a token; data written with it stays. False: there is no such token, or it is revoked already. */
export async function revokeToken(db: Db, id: string, clock: Clock): Promise<boolean> {
  return (await updateRows(db, "tokens", { id, revoked_ms: null }, { revoked_ms: clock.now() })) > 0;
}

function parseGrant(row: Selectable<Tables["tokens"]>): Token | null {
  const { id, account, purpose, name, head_sha: headSha, last_used_ms: lastUsedMs } = row;
  if (purpose === "api") return { id, account, purpose, name, headSha, lastUsedMs };
  if (purpose === "read") {
    const { repository_id: repositoryId, owner_id: ownerId } = row;
    return { id, account, purpose, repositoryId, ownerId, name, headSha, lastUsedMs };
  }
  if (row.repository_id === null || row.org === null || row.project === null) return null;
  const { repository_id: repositoryId, org, project } = row;
  return { id, account, purpose, name, repositoryId, org, project, headSha, lastUsedMs };
}

const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
