import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Settings } from "../../settings/settings.ts";
import type { TokenRequest, TokenResult } from "../../web/local/tokens.ts";
import { writePrivateFile } from "./private-file.ts";

/**
 * The address and key by which commands reach the Tollgate process that uses this machine's data directory.
 */
export const RunningFile = z.object({
  /** Loopback URL, without a slash at the end. */
  url: z.string(),
  /** Key for the routes for commands of this machine (`web/local/`). */
  key: z.string(),
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

const Answer: z.ZodType<TokenResult> = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("created"),
    id: z.string(),
    secret: z.string(),
    expires: z.string().nullable(),
  }),
  z.object({ state: z.literal("refused"), message: z.string(), hint: z.string() }),
]);

/** Time limit for the response of a Tollgate on this machine, in ms. */
const ANSWER_MS = 10_000;

/** Requests a token from the Tollgate process that uses the data directory; null: no process runs. */
export async function askRunning(
  { databaseUrl, dataDirectory }: Settings,
  request: TokenRequest,
): Promise<{ readonly url: string; readonly result: TokenResult } | null> {
  const running = databaseUrl === null ? findRunningFile(dataDirectory) : null;
  if (running === null) return null;
  const response = await fetch(`${running.url}/tollgate/v1/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tollgate-key": running.key },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  if (response === null || !response.ok) return null; // the process ended without removing its file
  return { url: running.url, result: Answer.parse(await response.json()) };
}

const RevokeAnswer = z.object({ revoked: z.boolean() });

/**
 * Revokes a token in the Tollgate process that uses the data directory. False: no such token is valid there; null: no process
 * answers.
 */
export async function revokeRunning(
  { databaseUrl, dataDirectory }: Pick<Settings, "databaseUrl" | "dataDirectory">,
  id: string,
): Promise<boolean | null> {
  const running = databaseUrl === null ? findRunningFile(dataDirectory) : null;
  if (running === null) return null;
  const url = `${running.url}/tollgate/v1/tokens/${encodeURIComponent(id)}`;
  const headers = { "x-tollgate-key": running.key };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(url, { method: "DELETE", headers, signal }).catch(() => null);
  if (response === null || !response.ok) return null;
  return RevokeAnswer.parse(await response.json()).revoked;
}
