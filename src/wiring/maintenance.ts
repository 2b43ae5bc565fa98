import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { expireChangeDetails } from "../platform-server/changes/expire-details.ts";
import { expireHookRecords } from "../platform-server/webhooks/store/executions.ts";
import { maintain } from "../store/maintenance.ts";
import type { StoreSession } from "./process/store-session.ts";

const EVERY_MS = 6 * 3_600_000;
/** Not at once: a start has better things to do. */
const FIRST_MS = 10 * 60_000;
/** How long it is kept what webhooks were sent and what came back. */
const WEBHOOK_RECORDS_MS = 30 * 24 * 3_600_000;

export interface Maintenance {
  stop(): Promise<void>;
}

/** Keeps the database small: attribute data past its time goes, the embedded database is vacuumed. */
export function startMaintenance({ store, clock }: StoreSession, log: Logger): Maintenance {
  const ended = new AbortController();
  const { signal } = ended;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  const working = (async () => {
    for (await pause(FIRST_MS); !signal.aborted; await pause(EVERY_MS)) {
      try {
        await expireChangeDetails(store.db, clock.now());
        await expireHookRecords(store.db, clock.now() - WEBHOOK_RECORDS_MS);
        await maintain(store);
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
