import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { TollgateError } from "../kernel/errors.ts";
import { deriveUnitName } from "../plan-files/text/decode.ts";
import type { PlanInput } from "../wiring/import/read-files.ts";
import { usageError } from "./command.ts";
import { inputFile } from "./input-file.ts";

/** Terraform's name of the workspace that nobody named. */
export const DEFAULT_WORKSPACE = "default";
/** More are taken for a folder of something else. */
const MAX_PLANS = 1_000;
/** Of a workspace's name, in characters, as the platform takes it. */
const MAX_NAME = 128;

export function isFolder(path: string): boolean {
  try {
    return path !== "-" && statSync(path).isDirectory();
  } catch {
    return false; // reading it as a file says what is wrong
  }
}

/**
 * The plan at a path of the command line, or the plans of a folder: each `*.json` in it at any depth, named by its unit. Throws `usage` for a
 * folder without plans, with two of one unit, with a link to a folder or with too many files, `file_unreadable` for one that cannot be listed.
 */
export function listPlans(path: string): readonly PlanInput[] {
  if (!isFolder(path)) return [inputFile(path)];
  const files = listJsonFiles(path).toSorted();
  if (files.length === 0) throw usageError(`The folder ${path} has no *.json file in it: ${EXPECTED_FOLDER}`);
  const byUnit = new Map<string, string>();
  for (const file of files) {
    const unit = deriveUnitName(relative(path, file)) || DEFAULT_WORKSPACE;
    const other = byUnit.get(unit);
    if (other !== undefined)
      throw usageError(
        `${other} and ${file} are both of the unit ${unit}: a folder of plans has one plan of each. Move what is no plan out of the folder.`,
      );
    if (unit.length > MAX_NAME)
      throw usageError(
        `The unit of ${file} has a name of ${unit.length} characters, and a workspace has at most ${MAX_NAME}: give a folder farther down.`,
      );
    byUnit.set(unit, file);
  }
  return [...byUnit].map(([unit, file]) => ({ ...inputFile(file), unit }));
}

const EXPECTED_FOLDER =
  "give the one that `terragrunt run --all plan --json-out-dir FOLDER` writes, or one with a plan as JSON for each workspace.";

/** Links to folders are refused: followed, they may never end, and left out, a plan might be missing. */
function listJsonFiles(folder: string): readonly string[] {
  const files: string[] = [];
  const folders = [folder];
  for (const next of folders) {
    const entries = listEntries(next).map((entry) => ({ entry, path: join(next, entry.name) }));
    const link = entries.find(({ entry, path }) => entry.isSymbolicLink() && isFolder(path));
    if (link !== undefined)
      throw usageError(`${link.path} is a link to a folder, which is not followed: ${EXPECTED_FOLDER}`);
    const isDirectory = ({ entry }: (typeof entries)[number]) => entry.isDirectory();
    folders.push(...entries.filter(isDirectory).map(({ path }) => path));
    files.push(
      ...entries.flatMap((one) => (/\.json$/i.test(one.path) && !isDirectory(one) ? [one.path] : [])),
    );
    if (files.length > MAX_PLANS)
      throw usageError(
        `The folder ${folder} has more than ${MAX_PLANS} *.json files in it: ${EXPECTED_FOLDER}`,
      );
  }
  return files;
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw new TollgateError("file_unreadable", `the folder ${folder} cannot be listed`, {
      hint: "Check that this user may read it and all folders in it.",
      cause,
    });
  }
}
