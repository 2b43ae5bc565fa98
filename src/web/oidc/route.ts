import { Hono } from "hono";
import { TollgateError } from "../../kernel/errors.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { readJson } from "../read-json.ts";
import { type ExchangeDeps, exchangeIdToken } from "./exchange-id-token.ts";
import { JOB_TOKEN_PATH, type JobAccess, JobRequest, RefusalError } from "./job-access.ts";
import type { JobClaims, VerifyIdToken } from "./verify-id-token.ts";

export interface JobTokenRouteDeps extends ExchangeDeps {
  readonly verify: VerifyIdToken;
  /** Receives each outcome, without credentials, and the refusal if it is one. */
  readonly onOutcome: (outcome: object, refusal: RefusalError | null) => void;
}

const LIMITS = { maxBytes: 4 * 1024, timeoutMs: 5_000 } as const;

/**
 * `POST /tollgate/v1/job-token` with `Authorization: Bearer <id token>`: exchanges the id token of a GitHub Actions job for a
 * token of the embedded platform. `deps` is null on a server that cannot: it has no public URL, or the operator switched it off.
 */
export function createJobTokenRoute(deps: JobTokenRouteDeps | null): Hono {
  return new Hono().post(JOB_TOKEN_PATH, async ({ req }) => {
    if (deps === null) return SWITCHED_OFF.toResponse();
    let job = {};
    try {
      const claims = await verifyBearer(deps, req.raw);
      const { repository_id: repositoryId, run_id: runId, event_name: event, sha } = claims;
      job = { repositoryId, runId, event, sha };
      const access = await exchange(deps, claims, req.raw);
      deps.onOutcome({ ...job, head: access.sha }, null);
      return Response.json(access);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const { refused, message, hint } = error;
      deps.onOutcome({ ...job, refused, message, hint }, error);
      return error.toResponse();
    }
  });
}

const SWITCHED_OFF = new RefusalError(
  "forbidden",
  "this server accepts no id tokens of CI jobs",
  "The operator sets PUBLIC_URL to the URL that the job calls; or use a token made with `tollgate token create`.",
);

function verifyBearer({ verify }: JobTokenRouteDeps, request: Request): Promise<JobClaims> {
  const [, text = ""] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return verify(text);
}

async function exchange(deps: JobTokenRouteDeps, claims: JobClaims, request: Request): Promise<JobAccess> {
  const body = await readJson(request, LIMITS);
  const wanted = JobRequest.safeParse(body.state === "read" ? body.value : undefined, PARSE_OPTIONS);
  if (!wanted.success)
    throw new RefusalError(
      "malformed",
      "the body is no job's request",
      "Send a JSON object with org, project, sha or none of them.",
    );
  return exchangeIdToken(deps, claims, wanted.data).catch((error: unknown) => {
    if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
    throw new RefusalError("unavailable", "GitHub gave no answer about the commit", "Repeat it in a minute.");
  });
}
