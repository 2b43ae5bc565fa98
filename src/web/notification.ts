import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { isPlatformId, type PullKey, parseSha } from "../kernel/ids.ts";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import { shorten } from "../kernel/shorten.ts";
import { addBinding } from "../store/bindings.ts";
import { listOpenCommitPulls } from "../store/pulls.ts";
import { findRepository, type Repository } from "../store/repositories.ts";
import { hasRight } from "../store/rights.ts";
import type { Tables } from "../store/tables/tables.ts";
import { recordTokenUse, type Token, verifyToken } from "../store/tokens.ts";
import { createBearerLimiter } from "./bearer-limiter.ts";
import { type JsonBodyLimits, readJson } from "./read-json.ts";

const PlatformId = z.string().refine(isPlatformId, "expected 1 to 128 letters, digits or _ . $ -");

/** A statement from CI that an execution belongs to a commit. */
export const ExecutionNotification = z.strictObject({
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
}

/** Calls per minute and token. */
const MAX_PER_MINUTE = 120;
const LIMITS: JsonBodyLimits = { maxBytes: 16 * 1024, timeoutMs: 10_000 };
/** In characters. */
const MAX_MESSAGE = 1_000;

interface NotificationProblem {
  readonly status: 400 | 401 | 403 | 408 | 413 | 415 | 422 | 429;
  readonly message: string;
  readonly hint: string;
}

/** `POST /api/executions`: binds an execution to the open pull requests of a commit. It never removes a binding. */
export function createNotificationRoute(deps: NotificationDeps): Hono {
  const withinRate = createBearerLimiter(deps.clock, MAX_PER_MINUTE);
  return new Hono().post("/api/executions", async ({ req }) => {
    const token = await verifyToken(deps.db, req.header("x-api-key") ?? "", deps.clock);
    if (token === null || token.account !== deps.account) return refuse(UNAUTHORISED);
    if (!withinRate(token.id)) return refuse(TOO_OFTEN);
    const body = await readBody(req.raw);
    const result = "status" in body ? body : await bindExecution(deps, token, body);
    if ("status" in result) return refuse(result);
    await recordTokenUse(deps.db, token, deps.clock);
    return Response.json({ accepted: true, pull_requests: result.pulls }, { status: 202 });
  });
}

const refuse = ({ status, message, hint }: NotificationProblem): Response =>
  Response.json({ message, hint }, { status });

async function readBody(request: Request): Promise<ExecutionNotification | NotificationProblem> {
  const body = await readJson(request, LIMITS);
  if (body.state !== "read" && body.state !== "not_json") return BODY_PROBLEMS[body.state];
  const parsed = ExecutionNotification.safeParse(
    body.state === "read" ? body.value : undefined,
    PARSE_OPTIONS,
  );
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  return {
    status: 400,
    message: shorten(problems.join("; "), MAX_MESSAGE),
    hint: "Send repository, sha, org, project and pipeline_execution_id.",
  };
}

async function bindExecution(
  deps: NotificationDeps,
  token: Token,
  body: ExecutionNotification,
): Promise<{ pulls: number[] } | NotificationProblem> {
  if (!hasRight(token, "notify") || token.org !== body.org || token.project !== body.project)
    return FORBIDDEN;
  const repository = await findRepository(deps.db, token.repositoryId);
  const named = `${repository?.owner_login}/${repository?.name}`.toLowerCase();
  if (repository === undefined || named !== body.repository.toLowerCase()) return FORBIDDEN;
  const pulls = await findOpenPulls(deps, repository, body.sha);
  if (pulls.length === 0) return NO_HEAD;
  for (const { repository_id, number, head_sha } of pulls) {
    const { org, project, pipeline_execution_id } = body;
    const binding = {
      repository_id,
      head_sha,
      org,
      project,
      pipeline_execution_id,
      source: "notification" as const,
    };
    await addBinding(deps.db, binding, new Date(deps.clock.now()));
    await deps.enqueue({ repositoryId: repository_id, number });
  }
  return { pulls: pulls.map(({ number }) => number) };
}

async function findOpenPulls(deps: NotificationDeps, repository: Repository, sha: string) {
  const known = await listOpenCommitPulls(deps.db, repository.repository_id, sha);
  if (known.length > 0) return known;
  await deps.saveCommitPulls(repository, sha);
  return listOpenCommitPulls(deps.db, repository.repository_id, sha);
}

const UNAUTHORISED: NotificationProblem = {
  status: 401,
  message: "the header x-api-key holds no valid token",
  hint: "Make one with: tollgate token create --repository OWNER/NAME --for notify",
};
const FORBIDDEN: NotificationProblem = {
  status: 403,
  message: "the token is not valid for this repository, org and project",
  hint: "A token for notifications is bound to one repository, org and project when it is made.",
};
const NO_HEAD: NotificationProblem = {
  status: 422,
  message: "sha is not the head of an open pull request of this repository",
  hint: "Pass the pull request's head sha (on GitHub Actions: github.event.pull_request.head.sha).",
};
const BODY_PROBLEMS = {
  wrong_type: { status: 415, message: "the body is not JSON", hint: "Send content-type: application/json." },
  too_large: { status: 413, message: "the body is too large", hint: "Send one execution per call." },
  too_slow: { status: 408, message: "the body took too long", hint: "Send it again." },
  broken: { status: 400, message: "the body ended early", hint: "Send it again." },
} as const satisfies Record<string, NotificationProblem>;
const TOO_OFTEN: NotificationProblem = {
  status: 429,
  message: "too many notifications",
  hint: "Wait a minute.",
};
