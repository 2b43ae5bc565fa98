import { findBinaries, PostgresServer } from "../test/world/postgres-server.ts";

/** A PostgreSQL of the bench's own with the server's default durability; null where none is installed. */
export async function startPostgres(): Promise<{ readonly url: string; stop(): Promise<void> } | null> {
  const bin = findBinaries();
  if (bin !== null) {
    const server = await PostgresServer.start(bin, ["max_connections=200"]);
    return { url: server.url(), stop: () => server.end() };
  }
  console.log("  PostgreSQL: no binaries found; measured on the embedded database only.");
  return null;
}
