import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { z } from "zod";
import { TOKEN_AGE_MS } from "../../github/client/installation-auth.ts";
import type { SharedInstallation, SharedValue } from "../../github/client/shared-installation.ts";
import type { Clock } from "../../kernel/clock.ts";
import {
  announceChanges,
  findSharedValue,
  type InstallationChange,
  reserveWrite,
  type SharedValueKey,
  type SharedValueName,
  savePause,
  saveSharedValues,
} from "../../store/replicas/shared-installations.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { Seal } from "../../web/sign-in/sessions.ts";

/** For how long another process's value counts, in ms. */
const MAX_AGE_MS: Readonly<Record<SharedValueName, number>> = { token: TOKEN_AGE_MS, coverage: 10 * 60_000 };

const Coverage = z.enum(["all", "selected"]);
/** With the installation's id, so that one installation's token in the row of another is not used. */
const SealedToken = z.object({ installationId: z.int(), token: z.string() });

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
  /** Encrypts tokens with a key that every process of the App has. */
  readonly seal: Seal;
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
    pace: {
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
    },
    token: shareToken(options, installationId),
    coverage: shareValue(options, { installationId, name: "coverage" }, Coverage),
  });
  return { of, pause };
}

/** Shares a value as its text; what the schema does not accept counts as absent. */
function shareValue<T extends string>(
  { db, log }: Pick<SharedInstallationsOptions, "db" | "log">,
  key: SharedValueKey,
  schema: z.ZodType<T>,
): SharedValue<T> {
  return {
    find: async () => {
      const found = await findSharedValue(db, key, MAX_AGE_MS[key.name]);
      return { ...found, value: schema.safeParse(found.value).data ?? null };
    },
    save: (value, askedAt) =>
      saveSharedValues(db, key.name, { values: new Map([[key.installationId, value]]), askedAt }).catch(
        (error: unknown) => log.warn({ error, ...key }, "a value could not be shared with other processes"),
      ),
  };
}

function shareToken(options: SharedInstallationsOptions, installationId: number): SharedValue<string> {
  const sealed = shareValue(options, { installationId, name: "token" }, z.string());
  return {
    find: async () => {
      const found = await sealed.find();
      const opened = SealedToken.safeParse(
        found.value === null ? null : await options.seal.open(found.value),
      );
      const own = opened.data?.installationId === installationId ? opened.data : null;
      return { ...found, value: own?.token ?? null };
    },
    save: async (token, askedAt) => sealed.save(await options.seal.seal({ installationId, token }), askedAt),
  };
}
