import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FoundFile, FoundFolder } from "../../render/custom/choose.ts";

/** What a policy file is called: words lie only beside one of this name. */
const POLICY_FILE = "tollgate.yml";

/** The words of a team's own that lie beside its policy file on this machine, as they would in a repository; null: none. */
export function folderBeside(policyFile: string): FoundFolder {
  if (basename(policyFile) !== POLICY_FILE) return null;
  const label = join(dirname(policyFile), POLICY_FILE.replace(/\.yml$/, ""));
  const entries = entriesOf(label);
  return entries === null
    ? null
    : { state: "found", label, files: entries.map((entry) => fileOf(label, entry)) };
}

function entriesOf(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null; // there is no such folder, or nobody may look
  }
}

function fileOf(folder: string, entry: Dirent): FoundFile {
  const { name } = entry;
  if (entry.isDirectory()) return { name, content: { state: "unreadable", reason: "directory" } };
  if (!entry.isFile()) return { name, content: { state: "unreadable", reason: "symlink" } };
  return { name, content: { state: "text", text: readFileSync(join(folder, name), "utf8"), blob: "" } };
}
