import { createReadStream } from "node:fs";
import { TollgateError } from "../kernel/errors.ts";
import type { PolicyText } from "../policy/file/parse.ts";
import type { InputFile } from "../wiring/import/workspace-files.ts";

/** A file named on the command line, opened when its bytes are read; `-` is the standard input. Reading throws `file_unreadable` when there is no such file or it may not be read. */
export function inputFile(path: string): InputFile {
  return path === "-"
    ? { file: "standard input", bytes: process.stdin }
    : { file: path, bytes: readable(path) };
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
