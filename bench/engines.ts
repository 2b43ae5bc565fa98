import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreLocation } from "../src/store/open.ts";
import { type Database, openDatabase } from "../src/wiring/database/schema.ts";
import { emptyPostgres } from "../test/world/engines.ts";
import { findBinaries, PostgresServer } from "../test/world/postgres-server.ts";

export interface BenchEngine {
  readonly name: "embedded" | "PostgreSQL";
  /** A new, empty database. */
  locate(): Promise<StoreLocation>;
  /** The same for a bot's settings; null: the embedded one. */
  createUrl(): Promise<string | null>;
}

let server: PostgresServer | null = null;
let folder: string | null = null;

/** A new folder that is removed at the end. */
export function createFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  return mkdtempSync(join(folder, "data-"));
}

export const EMBEDDED: BenchEngine = {
  name: "embedded",
  locate: async () => ({ kind: "directory", directory: createFolder() }),
  createUrl: async () => null,
};

/** The embedded engine, and a PostgreSQL of the bench's own with the server's default durability where its programs are installed. */
export async function openEngines(): Promise<readonly BenchEngine[]> {
  const bin = findBinaries();
  if (bin === null) return [EMBEDDED];
  server ??= await PostgresServer.start(bin, ["max_connections=200"]);
  const createUrl = () => emptyPostgres(server?.url() ?? "");
  const locate = async () => ({ kind: "postgres", url: await createUrl(), maxConnections: 5 }) as const;
  return [EMBEDDED, { name: "PostgreSQL", locate, createUrl }];
}

export const openStore = async (engine: BenchEngine): Promise<Database> =>
  openDatabase(await engine.locate(), () => {});

export async function closeEngines(): Promise<void> {
  await server?.end();
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
}
