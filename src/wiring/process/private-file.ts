import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";

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
