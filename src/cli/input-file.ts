import { createReadStream, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { TollgateError } from "../kernel/errors.ts";
import { type CodeRoots, toRepositoryPath } from "../plan-files/estimate/code-place.ts";
import type { PolicyText } from "../policy/file/parse.ts";
import { readCiEnvironment } from "../settings/ci.ts";
import type { EstimateInput, InputFile } from "../wiring/import/workspace-files.ts";
import { usageError } from "./command.ts";

/** A file named on the command line, opened when its bytes are read; `-` is the standard input. Reading throws `file_unreadable` when there is no such file or it may not be read. */
export function inputFile(path: string): InputFile {
  return path === "-"
    ? { file: "standard input", bytes: process.stdin }
    : { file: path, bytes: readable(path) };
}

/** The estimate in a file. Throws `usage` where it is its own base, or for a folder outside of the repository. */
export function estimateFile(
  file: string,
  { base, root }: { readonly base: string | undefined; readonly root: string | undefined },
): EstimateInput {
  if (file === base) throw usageError(`${file} cannot be its own base: nothing would change.`);
  return {
    ...inputFile(file),
    ...(base !== undefined && { base: inputFile(base) }),
    roots: codeRoots(root),
  };
}

/**
 * How paths of estimates lead to files of the repository. `projectRoot`: the folder, from the repository's root on, in which they begin;
 * undefined: not stated. Throws `usage` for a folder outside of the repository.
 */
function codeRoots(projectRoot: string | undefined): CodeRoots {
  const known = new Map<string, string | null>();
  const findRoot = (file: string) => {
    const folder = dirname(file);
    const root = known.get(folder) ?? findRepositoryRoot(folder);
    known.set(folder, root);
    return root;
  };
  const found = projectRoot === undefined ? undefined : toRepositoryPath(projectRoot, { findRoot });
  if (found === null)
    throw usageError(`--project-root ${JSON.stringify(projectRoot)} leads out of the repository.`);
  return { findRoot, projectRoot: found };
}

/** The root of the checkout that a folder is in; that of the job's where the folder is not on this machine. */
function findRepositoryRoot(folder: string): string | null {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? readCiEnvironment()["GITHUB_WORKSPACE"] || null : findRepositoryRoot(above);
}

/** The whole text of a small file in UTF-8, with or without a byte-order mark. */
export async function readText(path: string): Promise<string> {
  const { bytes } = inputFile(path);
  const decoder = new TextDecoder("utf-8");
  let text = "";
  for await (const chunk of bytes) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* readable(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new TollgateError("file_unreadable", `${path} cannot be read: ${getReason(error)}`, {
      cause: error,
      hint: "Give the path of a file, from the current directory on, or - for the standard input.",
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "permission is denied",
  ENOTDIR: "a part of its path is not a directory",
  EMFILE: "too many files are open",
};

function getReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (code === "" ? "an unknown error" : code);
}

/** The text of a policy file named on the command line; null: none is named. */
export const policyText = async (path: string | undefined): Promise<PolicyText | null> =>
  path === undefined ? null : { file: path === "-" ? "standard input" : path, text: await readText(path) };
