import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Surroundings } from "./github-process.ts";
import { type BotProcess, createBotProcess, type GitHubProcess, type Role } from "./processes.ts";

/** All processes of Tollgate in one load. */
export interface Fleet {
  readonly processes: readonly BotProcess[];
  /** Where their logs are. */
  readonly folder: string;
  /** Kills one process every `seconds` and starts it again, each in turn, until the signal; returns how many it killed. */
  killInTurn(seconds: number, signal: AbortSignal): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the processes with one database; GitHub's deliveries go to those that listen. */
export async function startFleet(
  roles: readonly Role[],
  {
    databaseUrl,
    surroundings,
    github,
    program,
  }: { databaseUrl: string; surroundings: Surroundings; github: GitHubProcess; program: string },
): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-load-"));
  const settings = join(folder, "settings.yml");
  writeFileSync(settings, surroundings.operatorFile);
  const environment = {
    APP_ID: String(surroundings.appId),
    PRIVATE_KEY: surroundings.privateKey,
    WEBHOOK_SECRET: surroundings.webhookSecret,
    GHE_HOST: new URL(surroundings.githubUrl).host,
    GHE_PROTOCOL: "http",
    PLATFORM_URL: surroundings.platformUrl,
    PLATFORM_TOKEN: "t",
    PLATFORM_ACCOUNT: "acc",
    PLATFORM_DIALECT: "neutral",
    PLATFORM_PREFIX: "",
    PLATFORM_CALLS_PER_MINUTE: "1000000",
    DATABASE_URL: databaseUrl,
    TOLLGATE_SETTINGS: settings,
    TOLLGATE_DATA: join(folder, "data"),
    LOG_LEVEL: "warn",
  };
  const processes: BotProcess[] = [];
  for (const [at, role] of roles.entries())
    processes.push(
      await createBotProcess(role, { environment, program, log: join(folder, `${role}-${at}.log`) }),
    );
  for (const process of processes) await process.start(); // one after the other: the first one migrates
  const ports = processes.flatMap(({ role, port }) => (role === "worker" ? [] : [port]));
  if (ports.length > 0) await github.setTargets(ports);
  return {
    processes,
    folder,
    killInTurn: async (seconds, signal) => {
      for (let killed = 0; ; killed++) {
        const isOver = await sleep(seconds * 1_000, false, { signal }).catch(() => true);
        const next = processes[(killed * 3) % processes.length];
        if (isOver || next === undefined) return killed;
        await next.kill();
        await next.start();
      }
    },
    stop: async () => {
      for (const process of processes) await process.kill();
    },
  };
}
