import type { CheckedCredentials, CredentialCheck } from "../github/credential-check.ts";
import { listPendingMigrations } from "../store/migrate.ts";
import { createHealth, type Health, type HealthPart, type PartHealth } from "../web/health.ts";
import { schema } from "./database/schema.ts";
import type { StoreSession } from "./process/store-session.ts";

/** Creates the health of a process: its database with the migrations, and these parts. */
export const createSessionHealth = (
  { store, findFault }: Pick<StoreSession, "store" | "findFault">,
  parts: readonly HealthPart[] = [],
): Health => {
  const migrations: HealthPart = {
    name: "migrations",
    examine: async () =>
      (await listPendingMigrations(store.db, schema.migrations)).length === 0
        ? { state: "ok" }
        : { state: "failed", reason: "the database lacks some" },
  };
  return createHealth({ findDatabaseFault: findFault, parts: [migrations, ...parts] });
};

/** What `/readyz` of a bot examines too. Reasons name no address, account or version: anybody may read them. */
export const listBotParts = (
  { queue }: Pick<StoreSession, "queue">,
  credentials: CredentialCheck,
): readonly HealthPart[] => [
  {
    name: "github",
    examine: async () => describeCredentials(await credentials()),
    whenLate: SILENT_GITHUB,
  },
  {
    name: "queue",
    examine: async () =>
      (await queue.isMoving())
        ? { state: "ok" }
        : { state: "failed", reason: "jobs are due for more than five minutes, and none ends" },
  },
];

/** During an outage of GitHub the process stays ready: it stores deliveries, which would otherwise be lost. */
function describeCredentials({ state, outage }: CheckedCredentials): PartHealth {
  if (state === "rejected") return { state: "failed", reason: "the App's credentials are rejected" };
  if (outage !== null) return { state: "ok", note: `GitHub does not answer: ${outage}` };
  return state === "unknown" ? SILENT_GITHUB : { state: "ok" };
}

const SILENT_GITHUB: PartHealth = { state: "ok", note: "GitHub does not answer" };
