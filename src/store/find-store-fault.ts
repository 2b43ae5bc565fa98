import { sql } from "kysely";
import { describeDatabaseFault } from "./database/describe-fault.ts";
import type { Store } from "./open.ts";

/** How long the database may take before what its connections said last is reported, in ms. */
const PATIENCE_MS = 1_900;

/** Why the database cannot be used now, in words that name no address and no user; null: it can be read and written. */
export async function findStoreFault({ db, damage }: Pick<Store, "db" | "damage">): Promise<string | null> {
  if (damage.seen !== null) return "it is damaged";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve((damage.lastLoss ?? describeDatabaseFault(null)).found), PATIENCE_MS);
  });
  const fault = await Promise.race([askDatabase({ db, damage }), late]);
  clearTimeout(timer);
  return fault;
}

async function askDatabase({ db, damage }: Pick<Store, "db" | "damage">): Promise<string | null> {
  try {
    const { rows } = await sql<{ isReadOnly: boolean }>`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(
      db,
    );
    if (rows[0]?.isReadOnly === true) return "it is read-only";
    return damage.isFull() ? "its disk is full" : null; // which can still be read
  } catch (error) {
    return describeDatabaseFault(error).found;
  }
}
