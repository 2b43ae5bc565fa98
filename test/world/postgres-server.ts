import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePort } from "../../src/wiring/process/free-port.ts";

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
export function findAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** What a test runs is also to end a read-only mode. */
const WRITABLE = "-c default_transaction_read_only=off -c statement_timeout=0";

/** How a server ends: `fast` ends its clients' connections, `immediate` ends it as a crash does. */
type StopMode = "fast" | "immediate";

const SIGNALS: Readonly<Record<StopMode, NodeJS.Signals>> = { fast: "SIGINT", immediate: "SIGQUIT" };

/** Settings of a server whose data may be lost with the machine. */
export const FAST: readonly string[] = ["fsync=off", "synchronous_commit=off"];

/** A throw-away PostgreSQL server on loopback, which its test may stop, break and promote. */
export class PostgresServer {
  readonly port: number;
  /** Of this account and of PostgreSQL's; removed at the end. */
  readonly folder: string;
  readonly #bin: string;
  readonly #options: readonly string[];
  #process: ChildProcess | null = null;

  private constructor(bin: string, place: { folder: string; port: number; options: readonly string[] }) {
    this.#bin = bin;
    this.folder = place.folder;
    this.port = place.port;
    this.#options = place.options;
  }

  /** Starts a new server. `options`: settings of `postgres`, as `name=value`. */
  static async start(bin: string, options: readonly string[]): Promise<PostgresServer> {
    const server = new PostgresServer(bin, { folder: makeFolder(), port: await findFreePort(), options });
    const encoding = ["-E", "UTF8"];
    server.#run("initdb", ["-D", server.#data, "-U", "tollgate", "-A", "trust", ...encoding, "--no-sync"]);
    await server.start();
    return server;
  }

  /** Starts a stand-by that streams from this server. */
  async startStandby(options: readonly string[] = this.#options): Promise<PostgresServer> {
    const standby = new PostgresServer(this.#bin, {
      folder: makeFolder(),
      port: await findFreePort(),
      options,
    });
    const source = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "tollgate"];
    standby.#run("pg_basebackup", [
      ...source,
      "-D",
      standby.#data,
      "-R",
      "-X",
      "stream",
      "--no-sync",
      "-c",
      "fast",
    ]);
    appendFileSync(join(standby.#data, "postgresql.auto.conf"), "\nhot_standby = on\n");
    await standby.start();
    return standby;
  }

  get #data(): string {
    return join(this.folder, "data");
  }

  /** The id of its first process; null: it is stopped. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  url(database = "postgres", port = this.port): string {
    return `postgres://tollgate@127.0.0.1:${port}/${database}`;
  }

  /** Starts it, again after a stop, and resolves when it accepts connections. */
  async start(): Promise<void> {
    const settings = ["listen_addresses=127.0.0.1", ...this.#options];
    const flags = ["-D", this.#data, "-p", String(this.port), "-k", this.folder];
    const child = spawn(join(this.#bin, "postgres"), [...flags, ...settings.flatMap((one) => ["-c", one])], {
      ...findAccount(),
      cwd: this.folder,
      stdio: "ignore",
    });
    this.#process = child;
    while (!this.#isReady()) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode} while starting`);
      await sleep(20);
    }
  }

  #isReady(): boolean {
    const flags = ["-h", "127.0.0.1", "-p", String(this.port), "-q"];
    return spawnSync(join(this.#bin, "pg_isready"), flags, { stdio: "ignore" }).status === 0;
  }

  async stop(mode: StopMode): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(SIGNALS[mode]);
    await ended;
  }

  /** Makes a stand-by the primary. */
  promote(): void {
    this.#run("pg_ctl", ["promote", "-D", this.#data, "-w", "-s"]);
  }

  /** Runs one statement on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(text: string, database = "postgres"): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url(database), options: WRITABLE });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async end(): Promise<void> {
    await this.stop("immediate");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  #run(program: string, parameters: readonly string[]): void {
    execFileSync(join(this.#bin, program), parameters, {
      ...findAccount(),
      cwd: this.folder,
      stdio: "ignore",
    });
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-pg-"));
  const owner = findAccount();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}
