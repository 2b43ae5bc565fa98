import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { SharedInstallation } from "../../github/client/shared-installation.ts";
import type { Clock } from "../../kernel/clock.ts";
import {
  announceChanges,
  findInstallationVersion,
  type InstallationChange,
} from "../../store/replicas/changes.ts";
import { reserveWrite, savePause } from "../../store/replicas/write-pace.ts";
import type { Tables } from "../../store/tables/tables.ts";

/** What all processes know of installations, in the database. */
export interface SharedInstallations {
  of(installationId: number): SharedInstallation;
  /** Pauses an installation that another process found limited. */
  pause(change: Pick<InstallationChange, "installationId" | "pausedMs">): void;
}

export interface SharedInstallationsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

export function createSharedInstallations(options: SharedInstallationsOptions): SharedInstallations {
  const { db, clock, log } = options;
  const listeners = new Map<number, (ms: number) => void>();
  /** Ends of limits by the monotonic clock, for installations whose client is made later. */
  const limitedUntilMs = new Map<number, number>();
  const pause: SharedInstallations["pause"] = ({ installationId, pausedMs }) => {
    if (pausedMs <= 0) return;
    limitedUntilMs.set(installationId, clock.monotonicMs() + pausedMs);
    listeners.get(installationId)?.(pausedMs);
  };
  const of = (installationId: number): SharedInstallation => ({
    reserve: async (spacingMs, isUrgent) => {
      const { pausedMs, ...start } = await reserveWrite(db, { installationId, spacingMs, isUrgent });
      pause({ installationId, pausedMs });
      return start;
    },
    savePause: async (ms) => {
      // This process pauses anyway, and the others meet GitHub's limit themselves.
      await savePause(db, installationId, ms)
        .then(() => announceChanges(db))
        .catch((error: unknown) =>
          log.warn({ error, installationId }, "a rate limit could not be shared with other processes"),
        );
    },
    onPause: (listener) => {
      listeners.set(installationId, listener);
      const until = limitedUntilMs.get(installationId);
      if (until !== undefined) listener(until - clock.monotonicMs());
    },
    readVersion: () => findInstallationVersion(db, installationId),
  });
  return { of, pause };
}
