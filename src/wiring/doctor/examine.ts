import { lookup } from "node:dns/promises";
import { sql } from "kysely";
import { Agent } from "undici";
import { systemClock, within } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PerformTask } from "../../policy/task.ts";
import type { NotificationTarget } from "../../settings/notification-targets.ts";
import { listNames } from "../../settings/operator.ts";
import {
  type Environment,
  type InspectedSettings,
  inspectSettings,
  type Settings,
} from "../../settings/read.ts";
import { examineServer, formatServerVersion, readServerVersion } from "../../store/database/server-error.ts";
import { inspectDirectory } from "../../store/directory/data-directory.ts";
import { listPendingMigrations } from "../../store/migrate.ts";
import type { ResolvedName } from "../../store/resolved-names.ts";
import { schema } from "../database/schema.ts";
import { withPolicyThread } from "../evaluation/policy-tasks.ts";
import { askForResolvedNames } from "../local-store.ts";
import { applyNames, type ExaminedName, examineNames } from "../operator-names.ts";
import { askHealth } from "../process/ask-process.ts";
import { examineStorage } from "../process/start-failure.ts";
import { readOperatorTemplates } from "../process/templates.ts";
import { githubProbes } from "./github-probes.ts";
import { platformProbes } from "./platform-probes.ts";
import { policyProbes } from "./policy-probes.ts";
import {
  connectDoctor,
  count,
  type DoctorContext,
  type DoctorGitHub,
  fail,
  failWith,
  listProbes,
  ok,
  type Probe,
  type ProbeProblem,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

export interface ExaminedProbe extends Pick<Probe, "id" | "area" | "title"> {
  readonly result: ProbeResult;
}

export interface Examination {
  /** The worst state of all lines. */
  readonly state: "ok" | "warning" | "failed";
  readonly probes: readonly ExaminedProbe[];
}

export interface ExamineOptions {
  /** `OWNER/NAME` whose gate is examined; null: none. */
  readonly repository: string | null;
  readonly probes?: readonly Probe[];
  /** Time limit of each probe, in ms; default: 20,000. */
  readonly timeoutMs?: number;
  /** Default: in a thread. */
  readonly perform?: PerformTask;
}

const TIMEOUT_MS = 20_000;

/** Examines the installation that the environment describes: all probes at the same time. Writes nothing. */
export async function examineInstallation(
  environment: Environment,
  { repository, probes = PROBES, timeoutMs = TIMEOUT_MS, perform }: ExamineOptions,
): Promise<Examination> {
  if (perform === undefined)
    return withPolicyThread((inThread) =>
      examineInstallation(environment, { repository, probes, timeoutMs, perform: inThread }),
    );
  const readStored = (settings: Settings) =>
    within(timeoutMs, askForResolvedNames(settings), () => []).catch(() => []);
  return inspectInstallation(environment, readStored, async (inspected, github, names) => {
    const context: DoctorContext = { inspected, repository, clock: systemClock, perform, github, names };
    const examined = await Promise.all(
      probes.map(async ({ id, area, title, examine }) => ({
        ...{ id, area, title },
        result: await examineInTime(() => examine(context), timeoutMs),
      })),
    );
    return { state: findWorstState(examined), probes: examined };
  });
}

/** Reads the settings and looks up the names in the operator's file. `readStored`: reads the ids that are in force. */
export async function inspectInstallation<T>(
  environment: Environment,
  readStored: (settings: Settings) => Promise<readonly ResolvedName[]>,
  work: (
    inspected: InspectedSettings,
    github: DoctorGitHub | null,
    names: readonly ExaminedName[],
  ) => Promise<T>,
): Promise<T> {
  const dispatcher = new Agent({ connections: 16, connect: { timeout: 5_000 } });
  try {
    const inspected = inspectSettings(environment);
    const github = connectGitHub(inspected, dispatcher);
    const { settings } = inspected;
    const { namedOperator: file } = settings;
    if (file === undefined || github === null) return await work(inspected, github, []);
    const names = await examineNames(listNames(file), await readStored(settings), github.githubApp);
    const operator = applyNames(file, names);
    return await work({ ...inspected, settings: { ...settings, operator } }, github, names);
  } finally {
    await dispatcher.destroy();
  }
}

async function examineOperatorNames({ inspected, github, names }: DoctorContext): Promise<ProbeResult> {
  if (!inspected.isUsable("TOLLGATE_SETTINGS")) return skip("needs the operator's file");
  if (inspected.settings.namedOperator === undefined) return ok("none; ids alone");
  if (github === null) return skip("needs the App");
  const problems = names.flatMap(({ kind, name, problem }) =>
    problem === null ? [] : [{ found: `the ${kind} ${name} ${problem}`, fix: NAME_FIX }],
  );
  return toResultOf(problems, `${count(names.length, "name")} resolved`);
}

const NAME_FIX =
  "Correct the name or write the id that is meant, or install the App there; then restart Tollgate.";

function connectGitHub({ settings, isUsable }: InspectedSettings, dispatcher: Agent) {
  const { github: credentials, githubUrl } = settings;
  const isComplete = (["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "GHE_HOST"] as const).every(isUsable);
  return credentials === null || !isComplete
    ? null
    : connectDoctor({ credentials, githubUrl, dispatcher, clock: systemClock });
}

async function examineInTime(examine: () => Promise<ProbeResult>, timeoutMs: number): Promise<ProbeResult> {
  const late = () =>
    fail(`no answer within ${timeoutMs / 1000} s`, "Check the network, and run the command again.");
  try {
    return await within(timeoutMs, examine(), late);
  } catch (error) {
    // The other lines say what they found all the same.
    if (error instanceof TollgateError) return failWith(error);
    throw error;
  }
}

function findWorstState(examined: readonly ExaminedProbe[]): Examination["state"] {
  const states = examined.map(({ result }) => result.state);
  return (["failed", "warning"] as const).find((state) => states.includes(state)) ?? "ok";
}

/** A database whose clock differs by more than this, in ms, evaluates deadlines at another time than people expect. */
const MAX_SKEW_MS = 5_000;

const START_MIGRATES = "`tollgate start` of this version executes them when it starts.";

const storageProbes = listProbes("Storage", {
  database: ["database", withStorage(examineDatabase)],
  migrations: ["migrations", withStorage(examineMigrations)],
  database_clock: ["clock", withStorage(examineClock)],
});

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

const settingsProbes = listProbes("Settings", {
  settings: ["settings", examineSettings],
  public_url: ["public address", examinePublicUrl],
  templates: ["templates", examineTemplates],
  notifications: ["notifications", examineTargets],
  operator_names: ["names", examineOperatorNames],
});

async function examineSettings({ inspected: { problems, settings } }: DoctorContext): Promise<ProbeResult> {
  const fix = "Correct it in the environment or in .env; docs/operations/settings.md lists every setting.";
  return toResultOf(
    problems.map((found) => ({ found, fix })),
    settings.github === null ? "can be used" : `can be used; App ${settings.github.appId}`,
  );
}

async function examinePublicUrl({ inspected: { settings } }: DoctorContext): Promise<ProbeResult> {
  if (settings.publicUrl !== null) return ok(settings.publicUrl);
  return warn(
    "PUBLIC_URL is not set: comments do not link to Tollgate, and several replicas cannot share the embedded platform",
    "Set PUBLIC_URL to the address at which GitHub, people and CI reach Tollgate.",
  );
}

async function examineTemplates({ inspected: { settings } }: DoctorContext): Promise<ProbeResult> {
  try {
    readOperatorTemplates(settings.templatesDirectory);
    return ok(settings.templatesDirectory ?? "as shipped");
  } catch (error) {
    return error instanceof TollgateError
      ? failWith(error)
      : fail("cannot be read", "Correct TEMPLATES_DIR, or unset it.");
  }
}

/** Sends nothing: `tollgate notify test` does. */
async function examineTargets({ inspected }: DoctorContext): Promise<ProbeResult> {
  if (!inspected.isUsable("TOLLGATE_SETTINGS")) return skip("needs the operator's file");
  const { operator, publicUrl } = inspected.settings;
  const { targets } = operator.notifications;
  if (targets.length === 0) return ok("none; no notifications are sent");
  const found = await Promise.all(targets.map(findTargetProblems));
  const link = publicUrl === null && {
    found: "PUBLIC_URL is not set, so messages have no link to Tollgate's pages",
    fix: "Set PUBLIC_URL (docs/operations/settings.md).",
  };
  const named = targets.map(({ name, kind }) => `${name} (${kind})`).join(", ");
  return toResultOf([...found.flat(), link], `${count(targets.length, "target")}: ${named}`, "warning");
}

async function findTargetProblems(target: NotificationTarget): Promise<readonly (ProbeProblem | false)[]> {
  const host = new URL(target.kind === "email" ? target.smtp : target.url).hostname.replace(/^\[|\]$/g, "");
  const isFound = await lookup(host).then(
    () => true,
    () => false,
  );
  const isIdle = target.on.length === 0;
  return [
    !isFound && {
      found: `the host of the target ${target.name} is not known to this machine's DNS`,
      fix: "Correct its address, then run `tollgate notify test`.",
    },
    isIdle &&
      target.teams.length > 0 && {
        found: `the target ${target.name} has teams, and an empty list of events`,
        fix: "Add approval-needed to its `on`, or leave `teams` out.",
      },
  ];
}

/** Every line of the doctor, in the order of its output. */
const PROBES: readonly Probe[] = [
  ...settingsProbes,
  ...storageProbes,
  ...githubProbes,
  ...platformProbes,
  ...policyProbes,
];
