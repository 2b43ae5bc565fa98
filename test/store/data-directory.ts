import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerdictRecord } from "../../src/store/audit/decision-record.ts";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import { enterLane, findLastEntry } from "../../src/store/database/lanes.ts";
import type { Store } from "../../src/store/open.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";

const LANE = "pull:1:1";

export const newDirectory = (): string => mkdtempSync(join(tmpdir(), "tollgate data "));

export const openDirectory = (directory: string): Promise<Store> =>
  openDatabase({ kind: "directory", directory }, (error) => {
    throw error;
  });

export const verdict = (number: number): VerdictRecord => ({
  kind: "verdict",
  repositoryId: 1,
  number,
  headSha: "a".repeat(40),
  baseRef: "main",
  checkName: "tollgate: main",
  digest: String(number),
  situation: "decided",
  decision: "pass",
  policyBlobs: [],
  findings: [],
});

/** Three decisions, and a run of a lane. */
export async function recordDecisions({ db }: Store): Promise<void> {
  for (const number of [1, 2, 3]) await appendDecision(db, verdict(number), new Date());
  await enterLane(db, LANE, new Date());
}

/** A data directory, closed, in which something was recorded. */
export async function recordedDirectory(): Promise<string> {
  const directory = newDirectory();
  const store = await openDirectory(directory);
  await recordDecisions(store);
  await store.close();
  return directory;
}

/** Whether what `recordedDirectory` recorded is there. */
export async function isRecorded(directory: string): Promise<boolean> {
  const store = await openDirectory(directory);
  try {
    return (await findLastEntry(store.db, LANE)) !== null;
  } finally {
    await store.close();
  }
}

export function copyOf(directory: string): string {
  const copy = newDirectory();
  cpSync(directory, copy, { recursive: true });
  return copy;
}
