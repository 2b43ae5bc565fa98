import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { z } from "zod";
import { TOKEN_AGE_MS } from "../github/client/installation-auth.ts";
import type { SharedInstallation, SharedValue } from "../github/client/shared-installation.ts";
import { type Clock, MINUTE_MS } from "../kernel/clock.ts";
import {
  announceChanges,
  CHANGES_CHANNEL,
  findSharedValue,
  type InstallationChange,
  listInstallationChanges,
  reserveWrite,
  type SharedValueKey,
  type SharedValueName,
  savePause,
  saveSharedValues,
} from "../store/replicas/shared-installations.ts";
import { createSeal, type Seal } from "../store/seal.ts";
import type { Tables } from "../store/tables/tables.ts";
import { type ConnectedGitHub, connectGitHub, type GitHubOptions, type GitHubSettings } from "./github.ts";
import type { StoreSession } from "./process/store-session.ts";
import { repeat } from "./repeat.ts";

/** For how long another process's value counts, in ms. */
const MAX_AGE_MS: Readonly<Record<SharedValueName, number>> = {
  token: TOKEN_AGE_MS,
  coverage: 10 * MINUTE_MS,
};

const Coverage = z.enum(["all", "selected"]);
/** With the installation's id, so that one installation's token in the row of another is not used. */
const SealedToken = z.object({ installationId: z.int(), token: z.string() });

export interface SharedInstallationsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** Encrypts tokens with a key that every process of the App has. */
  readonly seal: Seal;
}

export type SharedInstallations = ReturnType<typeof createSharedInstallations>;

export function createSharedInstallations(options: SharedInstallationsOptions) {
  const { db, clock, log } = options;
  const listeners = new Map<number, (ms: number) => void>();
  /** Ends of limits by the monotonic clock, for installations whose client is made later. */
  const limitedUntilMs = new Map<number, number>();
  const pause = ({ installationId, pausedMs }: Pick<InstallationChange, "installationId" | "pausedMs">) => {
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

/** How often changes are read that other processes made, in ms: without notifications, and in case one was lost. */
const UNANNOUNCED_MS = 2_000;
const ANNOUNCED_MS = 30_000;

interface ChangeHandlers {
  readonly shared: Pick<SharedInstallations, "pause">;
  /** Clears what this process has cached of an installation. */
  readonly forget: (installationId: number) => void;
  readonly log: Pick<Logger, "warn">;
}

/** Follows what other processes learn of installations until the returned function is called. The embedded database has no others. */
export async function watchChanges(
  { store }: Pick<StoreSession, "store">,
  { shared, forget, log }: ChangeHandlers,
): Promise<() => Promise<void>> {
  const versions = new Map<number, number | null>();
  const read = async (): Promise<void> => {
    for (const change of await listInstallationChanges(store.db)) {
      shared.pause(change);
      const { installationId, version } = change;
      if (versions.get(installationId) !== version) forget(installationId);
      versions.set(installationId, version);
    }
  };
  await read();
  const { engine } = store;
  if (engine.kind === "pglite") return async () => {};
  // A lost connection is logged where it is lost, and the next round reads what this one missed.
  const readLater = () => void read().catch(() => {});
  await engine.listener
    .listen(CHANGES_CHANNEL, readLater, readLater)
    .catch((error: unknown) =>
      log.warn({ error }, "changes that other processes make are read every two seconds"),
    );
  return repeat(read, {
    firstMs: UNANNOUNCED_MS,
    everyMs: () => (engine.listener.isListening() ? ANNOUNCED_MS : UNANNOUNCED_MS),
    onError: () => {},
  }).stop;
}

/** Connects to GitHub as the App, together with the other processes on the database. */
export async function connectSharedGitHub(
  settings: GitHubSettings,
  session: Pick<StoreSession, "store">,
  options: Omit<GitHubOptions, "shared">,
): Promise<ConnectedGitHub> {
  const { clock, log } = options;
  const seal = createSeal(settings.github.privateKey, "installation tokens");
  const shared = createSharedInstallations({ db: session.store.db, clock, log, seal });
  const github = connectGitHub(settings, { ...options, shared: shared.of });
  const endWatch = await watchChanges(session, { shared, forget: github.app.forget, log });
  return {
    ...github,
    close: async () => {
      await endWatch();
      await github.close();
    },
  };
}
