import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file that only this account can read, whatever was there before: a new file takes its place at once, so nobody sees
 * half of it and the permissions of an older one do not live on.
 */
export function writePrivately(path: string, text: string): void {
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
