import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import type { IdTokenRequest } from "../../settings/client.ts";
import { getAudience, JOB_TOKEN_PATH, JobAccess, type JobRequest } from "../../web/oidc/job-access.ts";
import type { RetryOptions } from "./retrying-call.ts";

export interface JobAccessRequest {
  /** URL of the Tollgate server: its `PUBLIC_URL`. */
  readonly url: string;
  readonly idToken: IdTokenRequest;
  /** Empty unless several projects are granted, or the id token does not say the head. */
  readonly wanted: JobRequest;
}

/** Time limit of one call, in ms. */
const CALL_MS = 20_000;

/**
 * Exchanges the id token of this GitHub Actions job for a token of a Tollgate server, which says to which repository, project
 * and commit it is bound. Each attempt uses a new id token, because a server accepts each of them once.
 *
 * @throws TollgateError `platform_failed` with the server's reason and hint
 */
export async function requestJobAccess(
  request: JobAccessRequest,
  { tries, pauseMs, sleep }: RetryOptions,
): Promise<JobAccess> {
  for (let next = 1; ; next += 1) {
    try {
      return await exchangeOnce(request);
    } catch (error) {
      if (!(error instanceof TollgateError && error.retryable) || next >= tries) throw error;
      await sleep(pauseMs * 2 ** (next - 1));
    }
  }
}

async function exchangeOnce({ url, idToken, wanted }: JobAccessRequest): Promise<JobAccess> {
  const bearer = await requestIdToken(idToken, getAudience(url));
  const answer = await callJson(`${url.replace(/\/+$/, "")}${JOB_TOKEN_PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const access = JobAccess.safeParse(answer.body);
  if (answer.status === 200 && access.success) return access.data;
  throw createExchangeError(url, answer);
}

const IdTokenAnswer = z.object({ value: z.string().min(1) });

/** Requests an id token from GitHub Actions (docs.github.com: "Requesting the JWT using environment variables"). */
async function requestIdToken({ url, token }: IdTokenRequest, audience: string): Promise<string> {
  const address = `${url}${url.includes("?") ? "&" : "?"}audience=${encodeURIComponent(audience)}`;
  const { status, body } = await callJson(address, { headers: { authorization: `bearer ${token}` } });
  const answer = IdTokenAnswer.safeParse(body);
  if (status === 200 && answer.success) return answer.data.value;
  throw new TollgateError("platform_failed", `GitHub Actions gave no id token (${status ?? "no answer"})`, {
    hint: "Give the job `permissions: id-token: write`, or set TOLLGATE_TOKEN.",
    retryable: isTransient(status),
  });
}

interface JsonAnswer {
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly body: unknown;
}

/** Calls an address; redirects are not followed, because they would carry the credential elsewhere. */
async function callJson(url: string, init: RequestInit): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(CALL_MS) });
    return { status: response.status, body: await response.json().catch(() => null) };
  } catch {
    return { status: null, body: null };
  }
}

const isTransient = (status: number | null): boolean => status === null || status === 429 || status >= 500;

const ServerRefusal = z.object({ message: z.string(), hint: z.string().optional() });

function createExchangeError(url: string, { status, body }: JsonAnswer): TollgateError {
  const retryable = isTransient(status);
  const refusal = ServerRefusal.safeParse(body);
  if (refusal.success && status !== 404)
    return new TollgateError("platform_failed", refusal.data.message, {
      retryable,
      ...(refusal.data.hint !== undefined && { hint: refusal.data.hint }),
    });
  const message =
    status === null ? `${url} does not answer` : `${url} does not accept id tokens of CI jobs (${status})`;
  return new TollgateError("platform_failed", message, {
    retryable,
    hint: "Check TOLLGATE_URL: it is the PUBLIC_URL of a Tollgate with its built-in platform.",
  });
}
