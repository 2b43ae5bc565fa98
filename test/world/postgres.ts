import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openBoss } from "../../src/queue/open.ts";
import { openDatabase } from "../../src/wiring/database/open-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server of the test run's own; null where no PostgreSQL binaries are installed. */
    postgresUrl: string | null;
  }
}

/** Name of the database that others are copied from: it has all tables, those of the queue too, and no rows of a test. */
export const MIGRATED = "migrated";

/** Starts a throw-away PostgreSQL when its binaries are there; `engines.ts` says which tests run on it. */
export default async function setup(project: TestProject): Promise<() => void> {
  const bin = findBinaries();
  if (bin === null) {
    process.stderr.write("PostgreSQL: no binaries found; tests ran on the embedded database only.\n");
    project.provide("postgresUrl", null);
    return () => {};
  }
  const server = await startServer(bin);
  await createMigrated(server.url).catch((error: unknown) => {
    server.stop();
    throw error;
  });
  project.provide("postgresUrl", server.url);
  return server.stop;
}

async function createMigrated(server: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${MIGRATED}`);
  await admin.end();
  const url = server.replace(/\/[^/]*$/, `/${MIGRATED}`);
  const fail = (error: unknown): never => {
    throw error;
  };
  const store = await openDatabase({ kind: "postgres", url, maxConnections: 2 }, fail);
  const boss = await openBoss(store, { warn: fail, error: fail });
  await boss.stop({ graceful: false });
  await store.close();
}

/** The folder of PostgreSQL's programs; null: they are not installed. */
export function findBinaries(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    "/usr/local/bin",
    "/opt/homebrew/bin",
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** PostgreSQL refuses to run as root, so root lends it the account that the package made. */
function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A test's data may be lost with the machine. */
const FAST = ["-c", "fsync=off", "-c", "synchronous_commit=off"];

/** Starts a PostgreSQL with a new cluster, which is deleted when it stops. `options`: how durable it is. */
export async function startServer(
  bin: string,
  options: readonly string[] = FAST,
): Promise<{ url: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-pg-"));
  const owner = account();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "tollgate", "-A", "trust", "-E", "UTF8", "--no-sync"],
    {
      ...owner,
      cwd: folder,
      stdio: "ignore",
    },
  );
  const port = await freePort();
  const place = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"];
  const child = spawn(join(bin, "postgres"), [...place, "-c", "max_connections=200", ...options], {
    ...owner,
    cwd: folder,
    stdio: "ignore",
  });
  await untilReady(bin, port, child);
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    stop: () => {
      child.kill("SIGINT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

async function untilReady(bin: string, port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode} while starting`);
    try {
      execFileSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port), "-q"]);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("PostgreSQL did not become ready within 10 s");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
