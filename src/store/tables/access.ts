import { bigint, defineTable, text } from "./define-table.ts";

/** Who may read and write what: tokens, and browsers that are signed in. Times in ms since 1970. */
export const accessTables = {
  tokens: defineTable({
    columns: {
      id: text(),
      account: text(),
      purpose: text<"api" | "import" | "notify" | "read">(),
      repository_id: bigint().nullable(),
      /** Of a read token: whose repositories it reads, by GitHub's id; null: those of every owner. */
      owner_id: bigint().nullable(),
      org: text().nullable(),
      project: text().nullable(),
      /** SHA-256 in hex of the secret part. */
      secret_hash: text(),
      /** The operator's word for it; null: none. */
      name: text().nullable(),
      /** Who created it: an account of the operating system, a CI job, or `INTERNAL_CREATOR`; null: unknown. */
      created_by: text().nullable(),
      /** It is valid before this time; null: until it is revoked. */
      expires_ms: bigint().nullable(),
      /** The only commit that data written with it may belong to; null: any commit. */
      head_sha: text().nullable(),
      created_ms: bigint(),
      last_used_ms: bigint().nullable(),
      revoked_ms: bigint().nullable(),
    },
    primaryKey: ["id"],
    constraints: [
      `check (purpose in ('api', 'read') or (repository_id is not null and org is not null and project is not null))`,
    ],
  }),
  sessions: defineTable({
    columns: {
      session_id: text(),
      /** GitHub's numeric id of the person. */
      user_id: bigint(),
      login: text(),
      /** GitHub's tokens of the person, encrypted with a key that only the browser's cookie contains. */
      tokens: text(),
      created_ms: bigint(),
      /** The session ends at this time, however it is used. */
      expires_ms: bigint(),
      /** Until then, one process renews the tokens at GitHub; null: none does. */
      renewing_until_ms: bigint().nullable(),
    },
    primaryKey: ["session_id"],
    indexes: { by_user: "(user_id)", by_end: "(expires_ms)" },
  }),
};
