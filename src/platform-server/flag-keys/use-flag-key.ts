import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { hashOfKey, isKeyShaped } from "./flag-key.ts";
import { findFlagKeyByHash, setFlagKeyUsed } from "./store/keys.ts";
import type { FlagTables } from "./store/tables.ts";

/** "Last used" is kept to the minute, so that a busy SDK does not write on every call. */
const GRAIN_S = 60;

/**
 * Checks whether a text is a valid key of an environment, and records its use. `none`: not a key, or a
 * deleted or expired one.
 */
export async function useFlagKey(
  { db, clock }: { readonly db: Kysely<FlagTables>; readonly clock: Clock },
  text: string,
): Promise<"valid" | "none"> {
  if (!isKeyShaped(text)) return "none";
  const row = await findFlagKeyByHash(db, hashOfKey(text));
  if (row === null) return "none";
  const nowS = Math.floor(clock.now() / 1000);
  if (row.expires_s !== 0 && nowS >= row.expires_s) return "none";
  if (row.last_used_s === null || nowS - row.last_used_s >= GRAIN_S) await setFlagKeyUsed(db, row, nowS);
  return "valid";
}
