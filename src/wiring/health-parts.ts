import type { CredentialCheck, CredentialState } from "../github/credential-check.ts";
import { listPendingMigrations } from "../store/pending-migrations.ts";
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
    examine: async () => CREDENTIAL_HEALTH[await credentials()],
    whenLate: CREDENTIAL_HEALTH.unknown,
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
const CREDENTIAL_HEALTH: Readonly<Record<CredentialState, PartHealth>> = {
  accepted: { state: "ok" },
  rejected: { state: "failed", reason: "the App's credentials are rejected" },
  unknown: { state: "ok", note: "GitHub does not answer" },
};

export const buildMigrationsPart = ({ store }: Session): HealthPart => ({
  name: "migrations",
  examine: async () =>
    (await listPendingMigrations(store.db, schema.migrations)).length === 0
      ? { state: "ok" }
      : { state: "failed", reason: "the database lacks some" },
});
