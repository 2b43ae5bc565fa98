import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import type { IdTokenRequest } from "../../settings/ci.ts";
import { getAudience } from "../../web/oidc/job-access.ts";
import type { RetryOptions } from "./run.ts";

/** A Tollgate server by its `PUBLIC_URL`, and what opens it: a token, or the id token of this GitHub Actions job. */
export type ServerAccess = { readonly url: string } & (
  | { readonly token: string }
  | { readonly idToken: IdTokenRequest }
);

interface ServerCall<T> {
  /** Below the server's URL. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body: object;
  readonly answer: z.ZodType<T>;
  /** What a server without this path does not accept. */
  readonly purpose: string;
}

/**
 * Posts to a Tollgate server, and returns its answer. Each attempt uses a new id token, because a server accepts each of them once.
 *
 * @throws TollgateError `platform_failed` with the server's reason and hint
 */
export async function callServer<T>(
  access: ServerAccess,
  call: ServerCall<T>,
  { tries, pauseMs, sleep }: RetryOptions,
): Promise<T> {
  for (let next = 1; ; next += 1) {
    try {
      return await callOnce(access, call);
    } catch (error) {
      if (!(error instanceof TollgateError && error.retryable) || next >= tries) throw error;
      await sleep(pauseMs * 2 ** (next - 1));
    }
  }
}

async function callOnce<T>(access: ServerAccess, { path, body, answer, purpose }: ServerCall<T>): Promise<T> {
  const { url } = access;
  const bearer = "token" in access ? access.token : await requestIdToken(access.idToken, getAudience(url));
  const found = await callJson(`${url.replace(/\/+$/, "")}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const parsed = answer.safeParse(found.body);
  if (found.status === 200 && parsed.success) return parsed.data;
  throw createServerError(url, purpose, found);
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

/** Time limit of one call, in ms. */
const CALL_MS = 20_000;

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

function createServerError(url: string, purpose: string, { status, body }: JsonAnswer): TollgateError {
  const retryable = isTransient(status);
  const refusal = ServerRefusal.safeParse(body);
  if (refusal.success && status !== 404)
    return new TollgateError("platform_failed", refusal.data.message, {
      retryable,
      ...(refusal.data.hint !== undefined && { hint: refusal.data.hint }),
    });
  const message =
    status === null ? `${url} does not answer` : `${url} does not accept ${purpose} (${status})`;
  return new TollgateError("platform_failed", message, {
    retryable,
    hint: "Check TOLLGATE_URL: it is the PUBLIC_URL of a Tollgate. Imports need its built-in platform.",
  });
}
