import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { CallPace } from "../../platform/call-pace.ts";
import { forgetProcess, saveProcess } from "../../store/replicas/processes.ts";
import type { StoreSession } from "../process/store-session.ts";

/** Calls of all processes in a minute: the live service allows 400 per key. */
const PER_MINUTE = 360;
/** How often a process says that it lives, and when it counts as ended after that, in ms. */
const ALIVE_EVERY_MS = 5_000;
const LIFE_MS = 20_000;

export interface SharedCalls {
  readonly pace: CallPace;
  /** Of facts that are only shown: they have a third of the calls, so that they delay no verdict. */
  readonly backgroundPace: CallPace;
  close(): Promise<void>;
}

/** Gives this process its share of the calls to the platform, which all living processes on the database have in equal parts. */
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
  const say = async (): Promise<void> => share(await saveProcess(store.db, process, LIFE_MS));
  await say();
  const saying = setInterval(() => {
    say().catch((error: unknown) => log.warn({ error }, "the number of processes could not be read"));
  }, ALIVE_EVERY_MS).unref();
  return {
    pace,
    backgroundPace,
    close: async () => {
      clearInterval(saying);
      await forgetProcess(store.db, process).catch(() => {}); // it counts for some more seconds
    },
  };
}
