import { readFile } from "node:fs/promises";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import type { CiSettings } from "../../settings/ci.ts";
import { type PullEvent, parsePullEvent } from "./pull-event.ts";

/** What the caller states of the pull request; null: the environment and the event state it. */
export interface StatedTarget {
  readonly ci: CiSettings;
  /** `owner/name`. */
  readonly repository: string | null;
  readonly pullNumber: number | null;
  /** The commit that the files were made from. */
  readonly sha: string | null;
}

/** The pull request of a job, as far as it is known before GitHub is asked. */
export interface CiTarget {
  readonly owner: string;
  readonly name: string;
  readonly event: PullEvent;
}

/**
 * Reads which pull request a job is for, from what is stated, else from the environment and the event.
 *
 * @throws TollgateError `usage`, `file_unreadable`
 */
export async function readTarget({ ci, repository, pullNumber, sha }: StatedTarget): Promise<CiTarget> {
  const names = parseRepositoryName(repository ?? ci.repository);
  const stated = parseStatedSha(sha);
  const event = await readEvent(ci);
  const number = pullNumber ?? event.number;
  const headSha = stated ?? event.headSha;
  if (headSha === null && number !== null)
    throw new TollgateError("usage", "--sha is missing: which commit the files belong to is not known", {
      hint: 'Pass the commit that was planned, in its checkout: --sha "$(git rev-parse HEAD)".',
    });
  return { ...names, event: { ...event, number, headSha } };
}

const REPOSITORY = /^([A-Za-z0-9-]{1,39})\/([A-Za-z0-9._-]{1,100})$/;

function parseRepositoryName(text: string | null): Pick<CiTarget, "owner" | "name"> {
  const [, owner, name] = REPOSITORY.exec(text ?? "") ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  const problem = text === null ? "is missing" : `${JSON.stringify(text)} is not OWNER/NAME`;
  throw new TollgateError("usage", `--repository ${problem}`, {
    hint: "Name the repository as OWNER/NAME, with --repository or GITHUB_REPOSITORY.",
  });
}

function parseStatedSha(text: string | null): Sha | null {
  const sha = text === null ? null : parseSha(text.toLowerCase());
  if (text !== null && sha === null)
    throw new TollgateError("usage", "--sha is not a full commit id of 40 (or 64) hex digits");
  return sha;
}

async function readEvent({ eventName, eventPath }: CiSettings): Promise<PullEvent> {
  if (eventName === null || eventPath === null) return parsePullEvent("", null);
  return parsePullEvent(eventName, await readPayload(eventPath));
}

async function readPayload(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new TollgateError("file_unreadable", `GITHUB_EVENT_PATH: ${path} is no readable JSON file`, {
      hint: "Name the pull request with --pull-request N and --sha COMMIT, and unset GITHUB_EVENT_PATH.",
      cause,
    });
  }
}
