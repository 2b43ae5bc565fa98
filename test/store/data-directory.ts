import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enterLane, lastEntered } from "../../src/store/lanes.ts";
import { openStore, type Store } from "../../src/store/open.ts";

const LANE = "pull:1:1";

export const newDirectory = (): string => mkdtempSync(join(tmpdir(), "tollgate data "));

export const openDirectory = (directory: string): Promise<Store> =>
  openStore({ kind: "directory", directory }, (error) => {
    throw error;
  });

/** A data directory, closed, in which something was recorded. */
export async function recordedDirectory(): Promise<string> {
  const directory = newDirectory();
  const store = await openDirectory(directory);
  await enterLane(store.db, LANE, new Date());
  await store.close();
  return directory;
}

/** Whether what `recordedDirectory` recorded is there. */
export async function isRecorded(directory: string): Promise<boolean> {
  const store = await openDirectory(directory);
  try {
    return (await lastEntered(store.db, LANE)) !== null;
  } finally {
    await store.close();
  }
}

export function copyOf(directory: string): string {
  const copy = newDirectory();
  cpSync(directory, copy, { recursive: true });
  return copy;
}
