import { readFile } from "node:fs/promises";
import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import type { CiSettings } from "../../settings/ci.ts";
import { type FileSelection, type ReadWorkspace, readFiles } from "../import/read-files.ts";

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

/**
 * Reads the files by workspace. `onNote` receives what their reader should know. A file that cannot be read fails
 * its workspace and not the job, so that the check says so.
 */
export async function readWorkspaces(
  selection: FileSelection,
  onNote: (note: string) => void,
): Promise<readonly ReadWorkspace[]> {
  const { workspaces, notes } = await readFiles(selection, (name, { message, hint }) =>
    onNote(`${name}: ${[message, hint].filter(Boolean).join(". ")}`),
  );
  for (const { note } of notes) onNote(`note: ${note}`);
  return workspaces;
}

/** The pull request of a CI job, as far as the event that started it states it. */
export interface PullEvent {
  /** Null: not stated. */
  readonly number: number | null;
  /** Head of the pull request when the event happened; null: not stated. */
  readonly headSha: Sha | null;
  /** `owner:branch` of the head, which finds a fork's pull request; null: not needed. */
  readonly headLabel: string | null;
  /** Whether the head is in another repository than the base; null: not stated. */
  readonly isFork: boolean | null;
  /** The merge group that the job is for, whose commit is `headSha`; absent: it is for a pull request. */
  readonly group?: { readonly headRef: string; readonly baseRef: string };
}

const RepositoryRef = z.object({ id: z.int() }).nullish();
const Pull = z.object({
  number: z.int().positive(),
  head: z.object({ sha: z.string(), repo: RepositoryRef }),
  base: z.object({ repo: RepositoryRef }),
});
const PullPayload = z.object({ pull_request: Pull }).transform(({ pull_request: pull }): PullEvent => {
  const { number, head, base } = pull;
  return { ...NOTHING, number, headSha: parseSha(head.sha), isFork: head.repo?.id !== base.repo?.id };
});

const NOTHING: PullEvent = { number: null, headSha: null, headLabel: null, isFork: null };

const CommentPayload = z
  .object({ issue: z.object({ number: z.int().positive(), pull_request: z.object({}) }) })
  .transform(({ issue }): PullEvent => ({ ...NOTHING, number: issue.number }));

const RunPayload = z
  .object({
    workflow_run: z.object({
      head_sha: z.string(),
      head_branch: z.string().nullish(),
      head_repository: z.object({ id: z.int(), owner: z.object({ login: z.string() }) }).nullish(),
      repository: z.object({ id: z.int() }),
      pull_requests: z.array(z.object({ number: z.int().positive() })).default([]),
    }),
  })
  .transform(({ workflow_run: run }): PullEvent => {
    const { head_repository: head, head_branch: branch } = run;
    // GitHub lists no pull request for a run of a fork.
    const headLabel = head == null || branch == null ? null : `${head.owner.login}:${branch}`;
    const [pull] = run.pull_requests;
    return {
      number: pull?.number ?? null,
      headSha: parseSha(run.head_sha),
      headLabel,
      isFork: head == null ? null : head.id !== run.repository.id,
    };
  });

const GroupPayload = z
  .object({ merge_group: z.object({ head_sha: z.string(), head_ref: z.string(), base_ref: z.string() }) })
  .transform(({ merge_group: { head_sha, head_ref, base_ref } }): PullEvent => {
    const toBranch = (ref: string) => ref.replace(/^refs\/heads\//, "");
    return {
      ...NOTHING,
      headSha: parseSha(head_sha),
      group: { headRef: toBranch(head_ref), baseRef: toBranch(base_ref) },
    };
  });

const PAYLOADS: Readonly<Record<string, z.ZodType<PullEvent>>> = {
  pull_request: PullPayload,
  pull_request_target: PullPayload,
  pull_request_review: PullPayload,
  issue_comment: CommentPayload,
  workflow_run: RunPayload,
  merge_group: GroupPayload,
};

/**
 * Reads the pull request from an event's payload. Nothing is stated for events without one, such as `workflow_dispatch`.
 *
 * @throws TollgateError `usage` for a payload that is none of its event
 */
export function parsePullEvent(name: string, payload: unknown): PullEvent {
  const schema = Object.hasOwn(PAYLOADS, name) ? PAYLOADS[name] : undefined;
  if (schema === undefined) return NOTHING;
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".");
  throw new TollgateError(
    "usage",
    `the event ${name} names no ${name === "merge_group" ? "merge group" : "pull request"} (${where || "its payload"} is missing)`,
    {
      hint: "Name it with --pull-request N and --sha COMMIT.",
    },
  );
}
