import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { CallPace } from "../../platform/call-pace.ts";
import { removeProcess, saveHeartbeat } from "../../store/replicas/turns.ts";
import type { StoreSession } from "../process/store-session.ts";

/** Calls of all processes in a minute: the live service allows 400 per key. */
const PER_MINUTE = 360;
/** Interval between two heartbeats of a process, in ms. */
const HEARTBEAT_MS = 5_000;
/** A process whose heartbeat is older than this does not count, in ms. */
const MAX_AGE_MS = 20_000;

export interface SharedCalls {
  readonly pace: CallPace;
  /** Of facts that are only shown: they have a third of the calls, so that they delay no verdict. */
  readonly backgroundPace: CallPace;
  close(): Promise<void>;
}

/** Limits this process to its part of the calls to the platform: all running processes on the database have equal parts. */
export async function shareCalls(
  { store, clock }: Pick<StoreSession, "store" | "clock">,
  log: Pick<Logger, "warn">,
  perMinute = PER_MINUTE,
): Promise<SharedCalls> {
  const background = Math.floor(perMinute / 3);
  const pace = new CallPace(clock, 1);
  const backgroundPace = new CallPace(clock, 1);
  const share = (processes: number): void => {
    pace.setLimit(Math.max(1, Math.floor((perMinute - background) / processes)));
    backgroundPace.setLimit(Math.max(1, Math.floor(background / processes)));
  };
  // The embedded database has one process.
  if (store.engine.kind === "pglite") {
    share(1);
    return { pace, backgroundPace, close: async () => {} };
  }
  const process = randomUUID();
  const beat = async (): Promise<void> => share(await saveHeartbeat(store.db, process, MAX_AGE_MS));
  await beat();
  const beating = setInterval(() => {
    beat().catch((error: unknown) => log.warn({ error }, "the number of processes could not be read"));
  }, HEARTBEAT_MS).unref();
  return {
    pace,
    backgroundPace,
    close: async () => {
      clearInterval(beating);
      await removeProcess(store.db, process).catch(() => {}); // its heartbeat counts until it is too old
    },
  };
}
