import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { CHANGES_CHANNEL, listInstallationChanges } from "../../store/replicas/shared-installations.ts";
import type { StoreSession } from "../process/store-session.ts";
import type { SharedInstallations } from "./shared-installations.ts";

/** How often changes are read that other processes made, in ms: without notifications, and in case one was lost. */
const UNANNOUNCED_MS = 2_000;
const ANNOUNCED_MS = 30_000;

export interface ChangeHandlers {
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
  const ended = new AbortController();
  const { signal } = ended;
  // A lost connection is logged where it is lost, and the next round reads what this one missed.
  const readLater = () => void read().catch(() => {});
  await engine.listener
    .listen(CHANGES_CHANNEL, readLater, readLater)
    .catch((error: unknown) =>
      log.warn({ error }, "changes that other processes make are read every two seconds"),
    );
  const polling = (async () => {
    while (!signal.aborted) {
      const pauseMs = engine.listener.isListening() ? ANNOUNCED_MS : UNANNOUNCED_MS;
      await sleep(pauseMs, undefined, { signal, ref: false })
        .then(read, () => {})
        .catch(() => {});
    }
  })();
  return async () => {
    ended.abort();
    await polling;
  };
}
