import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { eventually } from "./eventually.ts";
import { findAccount } from "./postgres-server.ts";

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find(existsSync);

/** Whether this machine has PgBouncer; says so where it has none. */
export function hasPgBouncer(): boolean {
  if (PROGRAM === undefined)
    process.stderr.write("PgBouncer: no binary found; nothing ran through a proxy of PostgreSQL.\n");
  return PROGRAM !== undefined;
}

export interface RunningPgBouncer {
  /** The same database as `url` of the start, through the proxy. */
  readonly url: string;
  stop(): void;
}

/** Starts a PgBouncer in transaction mode before the server of a database. It never has more than `connections` of them. */
export async function startPgBouncer(url: string, connections: number): Promise<RunningPgBouncer> {
  const { hostname, port, username, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bouncer-"));
  const own = await findFreePort();
  writeFileSync(join(folder, "users.txt"), `"${username}" ""\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  );
  const owner = findAccount(); // PgBouncer refuses to run as root
  if (owner)
    for (const path of [folder, join(folder, "users.txt"), join(folder, "pgbouncer.ini")])
      chownSync(path, owner.uid, owner.gid);
  const child: ChildProcess = spawn(PROGRAM ?? "", ["-q", join(folder, "pgbouncer.ini")], {
    ...owner,
    cwd: folder,
    stdio: "ignore",
  });
  const proxied = `postgres://${username}@127.0.0.1:${own}${pathname}`;
  await eventually(async () => {
    const client = new pg.Client({ connectionString: proxied });
    await client.connect();
    await client.end();
  });
  return {
    url: proxied,
    stop: () => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
