import type { CheckedCredentials, CredentialCheck } from "../github/credential-check.ts";
import { listPendingMigrations } from "../store/migrate.ts";
import type { HealthPart, PartHealth } from "../web/health.ts";
import { schema } from "./database/schema.ts";
import type { StoreSession } from "./process/store-session.ts";

type Session = Pick<StoreSession, "store" | "queue">;

/**
 * What `/readyz` of a bot examines beside the database. Reasons name no address, account or version: anybody may read them.
 */
export const listBotParts = (session: Session, credentials: CredentialCheck): readonly HealthPart[] => [
  buildMigrationsPart(session),
  {
    name: "github",
    examine: async () => describeCredentials(await credentials()),
    whenLate: SILENT_GITHUB,
  },
  {
    name: "queue",
    examine: async () =>
      (await session.queue.isMoving())
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

export const buildMigrationsPart = ({ store }: Session): HealthPart => ({
  name: "migrations",
  examine: async () =>
    (await listPendingMigrations(store.db, schema.migrations)).length === 0
      ? { state: "ok" }
      : { state: "failed", reason: "the database lacks some" },
});
