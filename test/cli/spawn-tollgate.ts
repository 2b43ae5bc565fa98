import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const MAIN = join(import.meta.dirname, "../../src/cli/program.ts");

export interface Spawned {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `tollgate` with these words as a process of its own, with these settings and no others. */
function spawnTollgate(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const env = { PATH: process.env["PATH"] ?? "", ...environment };
  return spawn(process.execPath, [MAIN, ...words], { env, stdio: "pipe" });
}

/** What reaches the shell when it has ended. */
export async function spawned(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = "",
): Promise<Spawned> {
  const child = spawnTollgate(words, environment);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (chunk) => out.push(String(chunk)));
  child.stderr.setEncoding("utf8").on("data", (chunk) => err.push(String(chunk)));
  child.stdin.on("error", () => {}); // it may have ended before it read anything
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code, out: out.join(""), err: err.join("") };
}
