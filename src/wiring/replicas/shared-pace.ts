import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { WritePace } from "../../github/client/write-pace.ts";
import type { Clock } from "../../kernel/clock.ts";
import { listPauses, reserveWrite, savePause } from "../../store/replicas/write-pace.ts";
import type { Tables } from "../../store/tables/tables.ts";

/** The pace of all installations, agreed on in the database. */
export interface SharedPace {
  paceOf(installationId: number): WritePace;
  /** Reads which installations GitHub limits, as any process saved it. */
  readPauses(): Promise<void>;
}

export interface SharedPaceOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

export function createSharedPace({ db, clock, log }: SharedPaceOptions): SharedPace {
  const listeners = new Map<number, (ms: number) => void>();
  /** Ends of limits by the monotonic clock, for installations whose client is made later. */
  const limitedUntilMs = new Map<number, number>();
  const extend = (installationId: number, ms: number): void => {
    if (ms <= 0) return;
    limitedUntilMs.set(installationId, clock.monotonicMs() + ms);
    listeners.get(installationId)?.(ms);
  };
  return {
    paceOf: (installationId) => ({
      reserve: async (spacingMs, isUrgent) => {
        const { pausedMs, ...start } = await reserveWrite(db, { installationId, spacingMs, isUrgent });
        extend(installationId, pausedMs);
        return start;
      },
      savePause: async (ms) => {
        // This process pauses anyway, and the others meet GitHub's limit themselves.
        await savePause(db, installationId, ms).catch((error: unknown) =>
          log.warn({ error, installationId }, "a rate limit could not be shared with other processes"),
        );
      },
      onPause: (listener) => {
        listeners.set(installationId, listener);
        const until = limitedUntilMs.get(installationId);
        if (until !== undefined) listener(until - clock.monotonicMs());
      },
    }),
    readPauses: async () => {
      for (const { installationId, pausedMs } of await listPauses(db)) extend(installationId, pausedMs);
    },
  };
}
