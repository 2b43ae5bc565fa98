import { setTimeout as sleep } from "node:timers/promises";

interface Repetition {
  /** Pause before the first time, in ms; default: none. */
  readonly firstMs?: number;
  /** Pause after each time, in ms. */
  readonly everyMs: number | (() => number);
  /** Receives what the work throws; it is repeated all the same. */
  readonly onError: (error: unknown) => void;
}

/** Repeats work until it is stopped. `stop` aborts the work's signal and resolves when the work has ended. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { firstMs = 0, everyMs, onError }: Repetition,
): { stop(): Promise<void> } {
  const ended = new AbortController();
  const { signal } = ended;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  const repeating = (async () => {
    if (firstMs > 0) await pause(firstMs);
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await pause(typeof everyMs === "number" ? everyMs : everyMs());
    }
  })();
  return {
    stop: async () => {
      ended.abort();
      await repeating;
    },
  };
}
