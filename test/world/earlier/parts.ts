import { OperatorFile } from "../../../src/settings/operator.ts";
import type { AppSettings } from "../../../src/wiring/compose.ts";
import { NAME, OWNER } from "../places.ts";
import type { MovableClock } from "../time.ts";

/** A clock that starts at a time and stands still until it is moved; pauses are measured by the machine's clock. */
export function standingClock(startMs: number): MovableClock {
  let now = startMs;
  return {
    now: () => now,
    monotonicMs: () => performance.now(),
    moves: (ms) => {
      now += ms;
    },
  };
}

/** What the operator of the recorded world has set. */
export const settingsOf = (parts: {
  readonly databaseUrl: string | null;
  readonly dataDirectory: string;
  readonly github: { readonly id: number; readonly privateKey: string; readonly webhookSecret: string };
  readonly githubUrl: string;
  readonly port: number;
  readonly ids: { readonly ownerId: number; readonly repositoryId: number; readonly ciId: number };
}): AppSettings => ({
  dataDirectory: parts.dataDirectory,
  databaseUrl: parts.databaseUrl,
  platform: { kind: "embedded", account: "acc" },
  github: {
    appId: parts.github.id,
    privateKey: parts.github.privateKey,
    webhookSecret: parts.github.webhookSecret,
  },
  githubUrl: parts.githubUrl,
  githubWriteSpacingMs: 0,
  laneSpacingMs: 100,
  port: parts.port,
  host: "127.0.0.1",
  publicUrl: "https://tollgate.example.com",
  oidcIssuer: null,
  trustedProxies: [],
  operator: OperatorFile.parse({
    trusted_posters: { users: [parts.ids.ciId] },
    grants: [
      {
        owner: parts.ids.ownerId,
        repository: parts.ids.repositoryId,
        org: OWNER,
        project: NAME,
        perspectives: ["shop"],
        cloud_accounts: ["111"],
        governed_clouds: ["CLOUD_1"],
      },
    ],
  }),
  encryptionKey: null,
  orgPolicy: "read",
  alwaysCheck: false,
  logLevel: "silent",
});
