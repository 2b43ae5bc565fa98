import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** How the command line reaches the Tollgate that holds this machine's data directory. */
export const RunningFile = z.object({
  /** Loopback address, without a slash at the end. */
  url: z.string(),
  /** Opens `POST /tollgate/v1/tokens` there. */
  key: z.string(),
});
export type RunningFile = z.infer<typeof RunningFile>;

const pathIn = (directory: string): string => join(directory, "running.json");

/** Leaves the address for commands of the same account; returns the removal. */
export function leaveRunningFile(directory: string, file: RunningFile): () => void {
  writeFileSync(pathIn(directory), `${JSON.stringify(file)}\n`, { mode: 0o600 });
  return () => rmSync(pathIn(directory), { force: true });
}

/** The address that a Tollgate left here, alive or not; null when there is none. */
export function findRunningFile(directory: string): RunningFile | null {
  try {
    return RunningFile.parse(JSON.parse(readFileSync(pathIn(directory), "utf8")));
  } catch {
    return null;
  }
}
