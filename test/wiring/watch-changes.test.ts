import pg from "pg";
import { pino } from "pino";
import { expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { announceChanges, markInstallationChanged } from "../../src/store/replicas/shared-installations.ts";
import { createSeal } from "../../src/store/seal.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { createSharedInstallations, watchChanges } from "../../src/wiring/shared-installations.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const server = inject("postgresUrl");
const log = pino({ level: "silent" });
const seal = createSeal("a private key", "installation tokens");
const INSTALLATION = 7;

/** Two processes on one database; `listenUrl`: where they listen. */
async function openProcesses(listenUrl?: string) {
  const url = await freshPostgres(server ?? "");
  const open = () =>
    openDatabase({ kind: "postgres", url, maxConnections: 2, ...(listenUrl && { listenUrl }) }, () => {});
  const [one, other] = [await open(), await open()];
  const forgotten: number[] = [];
  const pauses: number[] = [];
  const shared = createSharedInstallations({ db: other.db, clock: systemClock, log, seal });
  shared.of(INSTALLATION).pace.onPause((ms) => pauses.push(ms));
  const end = await watchChanges({ store: other }, { shared, forget: (id) => void forgotten.push(id), log });
  onTestFinished(async () => {
    await end();
    await one.close();
    await other.close();
  });
  return { one, other, forgotten, pauses };
}

it.runIf(server).each([
  ["is notified", undefined],
  ["cannot listen", "postgres://tollgate@127.0.0.1:1/nowhere"],
])(
  "a process that %s forgets what another one learned was changed, and pauses with it",
  async (_how, listenUrl) => {
    const { one, other, forgotten, pauses } = await openProcesses(listenUrl);
    expect(other.engine.kind === "postgres" && other.engine.listener.isListening()).toBe(
      listenUrl === undefined,
    );
    await markInstallationChanged(one.db, INSTALLATION);
    await announceChanges(one.db);
    await eventually(() => expect(forgotten).toEqual([INSTALLATION]));
    const shared = createSharedInstallations({ db: one.db, clock: systemClock, log, seal });
    await shared.of(INSTALLATION).pace.savePause(60_000);
    await eventually(() => expect(pauses.at(-1)).toBeGreaterThan(50_000));
    expect(forgotten).toEqual([INSTALLATION]);
  },
);

it.runIf(server)(
  "a process learns what was changed while its connection for notifications was lost",
  async () => {
    const { one, other, forgotten } = await openProcesses();
    if (other.engine.kind !== "postgres") throw new Error("it is PostgreSQL");
    const { listener } = other.engine;
    const admin = new pg.Client({ connectionString: server ?? "" });
    await admin.connect();
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query ilike 'listen%'",
      [other.engine.url.replace(/^.*\//, "")],
    );
    await markInstallationChanged(one.db, INSTALLATION);
    await eventually(() => expect(forgotten).toEqual([INSTALLATION]));
    expect(listener.isListening()).toBe(true);
    await admin.end();
  },
);
