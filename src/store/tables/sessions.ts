/** Browsers that are signed in. */
export interface SessionsTable {
  session_id: string;
  /** GitHub's numeric id of the person. */
  user_id: number;
  login: string;
  /** GitHub's tokens of the person, encrypted with a key that only the browser's cookie contains. */
  tokens: string;
  created_ms: number;
  /** The session ends at this time, however it is used. */
  expires_ms: number;
  /** Until then, one process renews the tokens at GitHub; null: none does. */
  renewing_until_ms: number | null;
}
