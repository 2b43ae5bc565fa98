import { Hono } from "hono";
import { within } from "../kernel/clock.ts";
import { shareRunning } from "../kernel/read-once.ts";
import { VERSION } from "../package/version.ts";
import { describeDatabaseFault } from "../store/database/faults.ts";

/** Time after which a part that does not answer counts as failed, in ms. */
const TIMEOUT_MS = 2_000;

/** What `/readyz` says of a part; `reason` is shown to anybody who can reach the address. */
export type PartHealth =
  | { readonly state: "ok"; readonly note?: string }
  | { readonly state: "failed"; readonly reason: string };

/** A part that the process needs to do its work, with the function that examines it now. */
export interface HealthPart {
  readonly name: string;
  readonly examine: () => Promise<PartHealth>;
  /** What no answer within `TIMEOUT_MS` means; default: the part failed. */
  readonly whenLate?: PartHealth;
}

export interface HealthParts {
  /** Why the database cannot be used now; null: it can. */
  readonly findDatabaseFault: () => Promise<string | null>;
  /** Examined by `/readyz` after the database. */
  readonly parts: readonly HealthPart[];
}

export interface ExaminedPart {
  readonly name: string;
  readonly health: PartHealth;
}

/** The health of a process, examined when somebody asks. Callers at the same time share one examination. */
export interface Health {
  examineDatabase(): Promise<PartHealth>;
  /** The database, then the other parts while the database answers. */
  examineAll(): Promise<readonly ExaminedPart[]>;
}

export function createHealth({ findDatabaseFault, parts }: HealthParts): Health {
  const database: HealthPart = {
    name: "database",
    examine: async () => {
      const reason = await findDatabaseFault();
      return reason === null ? { state: "ok" } : { state: "failed", reason };
    },
  };
  const examineDatabase = shareRunning(() => examineInTime(database));
  const examineAll = shareRunning(async () => {
    const first = await examineDatabase();
    // The other parts need the same database.
    if (first.state === "failed") return [{ name: database.name, health: first }];
    const others = parts.map(async (part) => ({ name: part.name, health: await examineInTime(part) }));
    return [{ name: database.name, health: first }, ...(await Promise.all(others))];
  });
  return { examineDatabase, examineAll };
}

/**
 * Routes for supervisors and load balancers. `GET /livez`: 200 while the process answers at all. `GET /readyz`: 200 while every part
 * works, else 503, with a line per part. `GET /healthz`: 200, with the version, while the database can be
 * reached, else 503.
 */
export function createHealthRoutes({ examineDatabase, examineAll }: Health): Hono {
  return new Hono()
    .get("/livez", (context) => context.text("ok\n"))
    .get("/readyz", async (context) => {
      const examined = await examineAll();
      const status = examined.every(({ health }) => health.state === "ok") ? 200 : 503;
      return context.text(`${examined.map(formatPart).join("\n")}\n`, status);
    })
    .get("/healthz", async (context) =>
      (await examineDatabase()).state === "ok"
        ? context.text(`ok\ntollgate ${VERSION}\n`)
        : context.text("the database does not answer\n", 503),
    );
}

const SILENT: PartHealth = { state: "failed", reason: describeDatabaseFault(null).found };

function formatPart({ name, health }: ExaminedPart): string {
  if (health.state === "failed") return `${name} failed: ${health.reason}`;
  return health.note === undefined ? `${name} ok` : `${name} ok: ${health.note}`;
}

function examineInTime({ examine, whenLate = SILENT }: HealthPart): Promise<PartHealth> {
  const failed = (error: unknown): PartHealth => ({
    state: "failed",
    reason: describeDatabaseFault(error).found,
  });
  return within(TIMEOUT_MS, examine().catch(failed), () => whenLate);
}
