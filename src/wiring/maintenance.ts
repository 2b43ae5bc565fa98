import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { expireChangeDetails } from "../platform-server/changes/expire-details.ts";
import { deleteExpiredHookRecords } from "../platform-server/webhooks/store/executions.ts";
import { maintainStore } from "../store/maintenance.ts";
import type { StoreSession } from "./process/store-session.ts";

const EVERY_MS = 6 * 3_600_000;
/** The first maintenance runs late, so that it does not slow down the start. In ms. */
const FIRST_MS = 10 * 60_000;
/** How long the requests and responses of webhook deliveries are stored, in ms. */
const WEBHOOK_RECORDS_MS = 30 * 24 * 3_600_000;

export interface Maintenance {
  stop(): Promise<void>;
}

/**
 * Starts the maintenance of the database: deletes expired attribute data and webhook records, and vacuums the
 * embedded database.
 */
export function startMaintenance({ store, clock }: StoreSession, log: Logger): Maintenance {
  const ended = new AbortController();
  const { signal } = ended;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  const working = (async () => {
    for (await pause(FIRST_MS); !signal.aborted; await pause(EVERY_MS)) {
      try {
        await expireChangeDetails(store.db, clock.now());
        await deleteExpiredHookRecords(store.db, clock.now() - WEBHOOK_RECORDS_MS);
        await maintainStore(store);
      } catch (error) {
        log.warn({ error }, "housekeeping failed");
      }
    }
  })();
  return {
    stop: async () => {
      ended.abort();
      await working;
    },
  };
}
