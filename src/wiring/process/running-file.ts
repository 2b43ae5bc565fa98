import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "./private-file.ts";

/**
 * The address and key by which commands reach the Tollgate process that uses this machine's data directory.
 */
export const RunningFile = z.object({
  /** Loopback URL, without a slash at the end. */
  url: z.string(),
  /** Key for the routes for commands of this machine (`web/local/`). */
  key: z.string(),
});
export type RunningFile = z.infer<typeof RunningFile>;

const getRunningPath = (directory: string): string => join(directory, "running.json");

/** Writes the address for commands of the same account; returns a function that removes it. */
export function writeRunningFile(directory: string, file: RunningFile): () => void {
  writePrivateFile(getRunningPath(directory), `${JSON.stringify(file)}\n`);
  return () => rmSync(getRunningPath(directory), { force: true });
}

/** Returns the address that a Tollgate process wrote, running or not; null: there is none. */
export function findRunningFile(directory: string): RunningFile | null {
  try {
    return RunningFile.parse(JSON.parse(readFileSync(getRunningPath(directory), "utf8")));
  } catch {
    return null;
  }
}
