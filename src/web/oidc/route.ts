import { Hono } from "hono";
import { TollgateError } from "../../kernel/errors.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { readJson } from "../read-json.ts";
import { type ExchangeDeps, exchangeIdToken } from "./exchange-id-token.ts";
import {
  createRefusal,
  isRefusal,
  JOB_TOKEN_PATH,
  type JobAccess,
  JobRequest,
  type Refusal,
  toRefusalResponse,
} from "./job-access.ts";
import type { VerifyIdToken } from "./verify-id-token.ts";

export interface JobTokenRouteDeps extends ExchangeDeps {
  readonly verify: VerifyIdToken;
  /** Receives each outcome, without credentials, and the refusal if it is one. */
  readonly onOutcome: (outcome: object, refusal: Refusal | null) => void;
}

const LIMITS = { maxBytes: 4 * 1024, timeoutMs: 5_000 } as const;

/**
 * `POST /tollgate/v1/job-token` with `Authorization: Bearer <id token>`: exchanges the id token of a GitHub Actions job for a
 * token of the embedded platform. `deps` is null on a server that cannot: it has no public URL, or the operator switched it off.
 */
export function createJobTokenRoute(deps: JobTokenRouteDeps | null): Hono {
  return new Hono().post(JOB_TOKEN_PATH, async ({ req }) => {
    const result = deps === null ? SWITCHED_OFF : await exchange(deps, req.raw);
    return isRefusal(result) ? toRefusalResponse(result) : Response.json(result);
  });
}

const SWITCHED_OFF = createRefusal(
  "forbidden",
  "this server accepts no id tokens of CI jobs",
  "The operator sets PUBLIC_URL to the URL that the job calls; or use a token made with `tollgate token create`.",
);

async function exchange(deps: JobTokenRouteDeps, request: Request): Promise<JobAccess | Refusal> {
  const [, text = ""] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  const claims = await deps.verify(text);
  if (isRefusal(claims)) {
    deps.onOutcome(claims, claims);
    return claims;
  }
  const body = await readJson(request, LIMITS);
  const wanted = JobRequest.safeParse(body.state === "read" ? body.value : undefined, PARSE_OPTIONS);
  const result = wanted.success
    ? await exchangeIdToken(deps, claims, wanted.data).catch((error: unknown) => {
        if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
        return createRefusal(
          "unavailable",
          "GitHub gave no answer about the commit",
          "Repeat it in a minute.",
        );
      })
    : createRefusal(
        "malformed",
        "the body is no job's request",
        "Send a JSON object with org, project, sha or none of them.",
      );
  const { repositoryId, runId, event, sha } = claims;
  const refusal = isRefusal(result) ? result : null;
  deps.onOutcome(
    { repositoryId, runId, event, sha, ...(isRefusal(result) ? result : { head: result.sha }) },
    refusal,
  );
  return result;
}
