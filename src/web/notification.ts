import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { isPlatformId, type PullKey, parseSha } from "../kernel/ids.ts";
import { addBinding } from "../store/bindings.ts";
import { findMergeGroup } from "../store/merge-groups.ts";
import { listOpenCommitPulls } from "../store/pulls.ts";
import { findRepository, type Repository } from "../store/repositories.ts";
import { hasRight } from "../store/rights.ts";
import type { Tables } from "../store/tables/tables.ts";
import { recordTokenUse, type Token, verifyToken } from "../store/tokens.ts";
import { createBearerLimiter } from "./bearer-limiter.ts";
import { readBody, refuse } from "./read-json.ts";

const PlatformId = z.string().refine(isPlatformId, "expected 1 to 128 letters, digits or _ . $ -");

/** A statement from CI that an execution belongs to a commit. */
const ExecutionNotification = z.strictObject({
  repository: z.string().regex(/^[^/\s]{1,39}\/[^/\s]{1,100}$/, "expected owner/name"),
  sha: z.string().refine((text) => parseSha(text) !== null, "expected a full commit id in lower case"),
  org: PlatformId,
  project: PlatformId,
  pipeline_execution_id: PlatformId,
});
export type ExecutionNotification = z.infer<typeof ExecutionNotification>;

export interface NotificationDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Only tokens of this account are valid. */
  readonly account: string;
  /** Reads a commit's open pull requests from GitHub and stores them. */
  readonly saveCommitPulls: (repository: Repository, sha: string) => Promise<void>;
  readonly enqueue: (pull: PullKey) => Promise<void>;
  /** Triggers the evaluation of the merge group with this commit. */
  readonly enqueueGroup: (repositoryId: number, sha: string) => Promise<unknown>;
}

/** Calls per minute and token. */
const MAX_PER_MINUTE = 120;
const BODY = {
  schema: ExecutionNotification,
  limits: { maxBytes: 16 * 1024, timeoutMs: 10_000 },
  hint: "Send repository, sha, org, project and pipeline_execution_id.",
} as const;

/** `POST /api/executions`: binds an execution to the open pull requests or the merge group of a commit. It never removes a binding. */
export function createNotificationRoute(deps: NotificationDeps): Hono {
  const withinRate = createBearerLimiter(deps.clock, MAX_PER_MINUTE);
  return new Hono().post("/api/executions", async ({ req }) => {
    const token = await verifyToken(deps.db, req.header("x-api-key") ?? "", deps.clock);
    if (token === null || token.account !== deps.account)
      throw refuse(
        401,
        "the header x-api-key holds no valid token",
        "Make one with: tollgate token create --repository OWNER/NAME --for notify",
      );
    if (!withinRate(token.id)) throw refuse(429, "too many notifications", "Wait a minute.");
    const pulls = await bindExecution(deps, token, await readBody(req.raw, BODY));
    await recordTokenUse(deps.db, token, deps.clock);
    return Response.json({ accepted: true, pull_requests: pulls }, { status: 202 });
  });
}

/** Returns the numbers of the pull requests. */
async function bindExecution(
  deps: NotificationDeps,
  token: Token,
  body: ExecutionNotification,
): Promise<readonly number[]> {
  const repository = await findTokenRepository(deps, token, body);
  const { org, project, pipeline_execution_id, sha } = body;
  const execution = { org, project, pipeline_execution_id, source: "notification" } as const;
  const { repository_id } = repository;
  if ((await findMergeGroup(deps.db, repository_id, sha)) !== undefined) {
    await addBinding(deps.db, { ...execution, repository_id, head_sha: sha }, new Date(deps.clock.now()));
    await deps.enqueueGroup(repository_id, sha);
    return [];
  }
  const pulls = await findOpenPulls(deps, repository, sha);
  if (pulls.length === 0)
    throw refuse(
      422,
      "sha is neither the head of an open pull request of this repository nor the commit of a merge group",
      "Pass the pull request's head sha (on GitHub Actions: github.event.pull_request.head.sha).",
    );
  for (const { number, head_sha } of pulls) {
    await addBinding(deps.db, { ...execution, repository_id, head_sha }, new Date(deps.clock.now()));
    await deps.enqueue({ repositoryId: repository_id, number });
  }
  return pulls.map(({ number }) => number);
}

/** The repository that a notification names, if the token is for it, for its org and for its project. */
async function findTokenRepository(
  { db }: NotificationDeps,
  token: Token,
  { repository: name, org, project }: ExecutionNotification,
): Promise<Repository> {
  if (hasRight(token, "notify") && token.org === org && token.project === project) {
    const found = await findRepository(db, token.repositoryId);
    if (`${found?.owner_login}/${found?.name}`.toLowerCase() === name.toLowerCase() && found) return found;
  }
  throw refuse(
    403,
    "the token is not valid for this repository, org and project",
    "A token for notifications is bound to one repository, org and project when it is made.",
  );
}

async function findOpenPulls(deps: NotificationDeps, repository: Repository, sha: string) {
  const known = await listOpenCommitPulls(deps.db, repository.repository_id, sha);
  if (known.length > 0) return known;
  await deps.saveCommitPulls(repository, sha);
  return listOpenCommitPulls(deps.db, repository.repository_id, sha);
}
