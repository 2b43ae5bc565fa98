import { sql } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import type { Settings } from "../../settings/read.ts";
import { examineServer, formatServerVersion, readServerVersion } from "../../store/database/server-error.ts";
import { inspectDirectory } from "../../store/directory/data-directory.ts";
import { listPendingMigrations } from "../../store/migrate.ts";
import { schema } from "../database/schema.ts";
import { askHealth } from "../process/ask-process.ts";
import { examineStorage } from "../process/start-failure.ts";
import {
  count,
  type DoctorContext,
  fail,
  failWith,
  ok,
  type Probe,
  type ProbeResult,
  skip,
  warn,
} from "./probe.ts";

/** A database whose clock differs by more than this, in ms, evaluates deadlines at another time than people expect. */
const MAX_SKEW_MS = 5_000;

const START_MIGRATES = "`tollgate start` of this version executes them when it starts.";

export const storageProbes: readonly Probe[] = [
  { id: "database", area: "Storage", title: "database", examine: withStorage(examineDatabase) },
  { id: "migrations", area: "Storage", title: "migrations", examine: withStorage(examineMigrations) },
  { id: "database_clock", area: "Storage", title: "clock", examine: withStorage(examineClock) },
];

type ExamineStorage = (settings: Settings, context: DoctorContext) => Promise<ProbeResult>;

function withStorage(examine: ExamineStorage): Probe["examine"] {
  return async (context) => {
    const { settings, isUsable } = context.inspected;
    if (!isUsable("DATABASE_URL")) return skip("DATABASE_URL cannot be used");
    try {
      return await examine(settings, context);
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error;
      return examine === examineDatabase ? failWith(error) : skip("the database cannot be used");
    }
  };
}

async function examineDatabase(settings: Settings): Promise<ProbeResult> {
  const { databaseUrl, dataDirectory } = settings;
  if (databaseUrl !== null) {
    const version = await examineServer(databaseUrl, readServerVersion);
    return ok(`PostgreSQL ${formatServerVersion(version)}`);
  }
  await examineStorage(settings);
  if (inspectDirectory(dataDirectory) === "empty")
    return ok(`embedded, in ${dataDirectory}; the first start creates it`);
  const health = await askHealth(settings);
  return ok(
    health === null
      ? `embedded, in ${dataDirectory}; no process uses it, so its content was not examined`
      : `embedded, in ${dataDirectory}; used by the Tollgate at ${health.url}`,
  );
}

async function examineMigrations(settings: Settings): Promise<ProbeResult> {
  const { databaseUrl } = settings;
  if (databaseUrl === null) return examineRunning(settings);
  const pending = await examineServer(databaseUrl, async (db) => {
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass('tollgate_migrations') is not null as "exists"`.execute(db);
    return rows[0]?.exists ? listPendingMigrations(db, schema.migrations) : null;
  });
  if (pending === null) return warn("the database has no tables yet", START_MIGRATES);
  return pending.length === 0
    ? ok("all applied")
    : warn(`${count(pending.length, "migration")} pending: ${pending.join(", ")}`, START_MIGRATES);
}

/** Only the process that uses the embedded database knows more: opening it would write. */
async function examineRunning(settings: Settings): Promise<ProbeResult> {
  const health = await askHealth(settings);
  if (health === null) return skip("no Tollgate uses the embedded database now, and opening it would write");
  if (health.isReady) return ok("all applied; the running Tollgate is ready");
  const failed = health.report.split("\n").filter((line) => line.includes(" failed: "));
  return fail(
    `the running Tollgate is not ready: ${failed.join("; ") || "it gives no reason"}`,
    "Its log says more; docs/operations/monitoring.md describes the parts of /readyz.",
  );
}

async function examineClock({ databaseUrl }: Settings, { clock }: DoctorContext): Promise<ProbeResult> {
  if (databaseUrl === null) return ok("the embedded database uses the clock of this machine");
  const skewMs = await examineServer(databaseUrl, async (db) => {
    const before = clock.now();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
    return Math.round((rows[0]?.now ?? 0) - (before + clock.now()) / 2);
  });
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok(`PostgreSQL's differs by ${Math.abs(skewMs)} ms`)
    : warn(
        `PostgreSQL's clock differs by ${Math.round(Math.abs(skewMs) / 1000)} s from this machine's`,
        "Synchronise both machines (NTP).",
      );
}
