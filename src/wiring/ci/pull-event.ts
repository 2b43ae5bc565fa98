import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";

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

const PAYLOADS: Readonly<Record<string, z.ZodType<PullEvent>>> = {
  pull_request: PullPayload,
  pull_request_target: PullPayload,
  pull_request_review: PullPayload,
  issue_comment: CommentPayload,
  workflow_run: RunPayload,
};

/**
 * Reads the pull request from an event's payload. Nothing is stated for events without one, such as `workflow_dispatch`.
 *
 * @throws TollgateError `usage` for the event of a merge queue, and for a payload that is none of its event
 */
export function parsePullEvent(name: string, payload: unknown): PullEvent {
  if (name === "merge_group")
    throw new TollgateError("usage", "a CI job cannot decide a merge queue's group", {
      hint: "Each pull request of the group has its verdict in a job of its own. Install the App for branches with a merge queue: docs/ci/README.md.",
    });
  const schema = Object.hasOwn(PAYLOADS, name) ? PAYLOADS[name] : undefined;
  if (schema === undefined) return NOTHING;
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".");
  throw new TollgateError(
    "usage",
    `the event ${name} names no pull request (${where || "its payload"} is missing)`,
    {
      hint: "Name it with --pull-request N and --sha COMMIT.",
    },
  );
}
