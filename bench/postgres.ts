import { findBinaries, startServer } from "../test/world/postgres.ts";

/** A PostgreSQL of the bench's own with the server's default durability; null where none is installed. */
export async function startPostgres(): Promise<{ readonly url: string; stop(): void } | null> {
  const bin = findBinaries();
  if (bin !== null) return startServer(bin, []);
  console.log("  PostgreSQL: no binaries found; measured on the embedded database only.");
  return null;
}
