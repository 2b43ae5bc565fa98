export interface TokensTable {
  id: string;
  account: string;
  purpose: "api" | "import" | "notify" | "read";
  repository_id: number | null;
  /** Of a read token: whose repositories it reads, by GitHub's id; null: those of every owner. */
  owner_id: number | null;
  org: string | null;
  project: string | null;
  /** SHA-256 in hex of the secret part. */
  secret_hash: string;
  /** The operator's word for it; null: none. */
  name: string | null;
  /** Who created it: an account of the operating system, a CI job, or `INTERNAL_CREATOR`; null: unknown. */
  created_by: string | null;
  /** It is valid before this time; null: until it is revoked. */
  expires_ms: number | null;
  /** The only commit that data written with it may belong to; null: any commit. */
  head_sha: string | null;
  created_ms: number;
  last_used_ms: number | null;
  revoked_ms: number | null;
}
