import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { StoreSession } from "../process/store-session.ts";
import { createSharedPace, type SharedPace } from "./shared-pace.ts";

/** What this process learns of the others that share its database, and they of it. */
export interface Replicas extends Pick<SharedPace, "paceOf"> {
  close(): Promise<void>;
}

/** How often limits are read that other processes met, in ms. */
const READ_EVERY_MS = 2_000;

export async function connectReplicas(
  { store, clock }: Pick<StoreSession, "store" | "clock">,
  log: Logger,
): Promise<Replicas> {
  const { paceOf, readPauses } = createSharedPace({ db: store.db, clock, log });
  await readPauses();
  const ended = new AbortController();
  const { signal } = ended;
  const reading = (async () => {
    for (;;) {
      await sleep(READ_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      // A lost connection is in the log already, and the next round reads what this one missed.
      await readPauses().catch(() => {});
    }
  })();
  return {
    paceOf,
    close: async () => {
      ended.abort();
      await reading;
    },
  };
}
