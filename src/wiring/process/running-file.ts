import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The address and key by which commands reach the Tollgate process that uses this machine's data directory. */
export const RunningFile = z.object({
  /** Loopback URL, without a slash at the end. */
  url: z.url({ protocol: /^https?$/ }),
  /** Key for the routes for commands of this machine (`web/local/`). */
  key: z.string().regex(/^[\w-]+$/),
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

/**
 * Writes a file that only this account can read. A new file replaces the existing one atomically, so that
 * nobody reads a partial file and older permissions do not remain.
 */
export function writePrivateFile(path: string, text: string): void {
  const place = existsSync(path) ? realpathSync(path) : path;
  const draft = `${place}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
