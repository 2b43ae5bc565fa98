import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a run of tests a temporary directory of its own, with a blank in its path, and removes it with all
 * that the tests left in it. Short, because the path of a socket has at most 104 characters on macOS.
 */
export function setup(): () => void {
  const directory = mkdtempSync(join(tmpdir(), "tg "));
  chmodSync(directory, 0o711); // as root, PostgreSQL runs under another account
  process.env["TMPDIR"] = directory; // inherited by the processes that run tests
  return () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
