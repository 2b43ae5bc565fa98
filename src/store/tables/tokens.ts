export interface TokensTable {
  id: string;
  account: string;
  purpose: "api" | "import" | "notify";
  repository_id: number | null;
  org: string | null;
  project: string | null;
  /** SHA-256 in hex of the secret part. */
  secret_hash: string;
  created_ms: number;
  last_used_ms: number | null;
  revoked_ms: number | null;
}
