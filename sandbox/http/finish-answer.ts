import { createHash } from "node:crypto";
import type { ApiAnswer } from "../api/call.ts";
import { buildLinkHeader } from "../api/paging.ts";
import type { ApiRefusal } from "../state/refusal.ts";

/** An encoded answer. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export const JSON_TYPE = "application/json; charset=utf-8";
const DOCUMENTATION_URL = "https://docs.github.com/rest";

/** The properties of a request that its answer depends on. */
export interface AnswerContext {
  readonly method: string;
  readonly url: URL;
  readonly ifNoneMatch: string | null;
}

/** Adds body, type, Link and ETag; a GET with a matching ETag becomes 304 without a body. */
export function finishAnswer(answer: ApiAnswer, request: AnswerContext): WireAnswer {
  const link = answer.pages === undefined ? null : buildLinkHeader(request.url, answer.pages);
  const raw = Buffer.isBuffer(answer.body);
  const body = raw ? (answer.body as Buffer) : encodeJsonBody(answer.body); // narrowed by the line above
  const headers: Record<string, string> = {
    ...(body.length > 0 && !raw ? { "content-type": JSON_TYPE } : {}),
    ...(link === null ? {} : { link }),
    ...answer.headers,
  };
  if (request.method !== "GET" || answer.status !== 200) return { status: answer.status, headers, body };
  const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
  headers["etag"] = etag;
  headers["cache-control"] = "private, max-age=60, s-maxage=60";
  if (!hasEtag(request.ifNoneMatch, etag)) return { status: 200, headers, body };
  return { status: 304, headers, body: Buffer.alloc(0) };
}

/** Returns the API's answer to a refused call. */
export function toRefusedAnswer(refusal: ApiRefusal): ApiAnswer {
  const body = {
    message: refusal.message,
    ...(refusal.complaints.length === 0 ? {} : { errors: refusal.complaints }),
    documentation_url: DOCUMENTATION_URL,
    status: String(refusal.status),
  };
  const { status, accepted } = refusal;
  return accepted === ""
    ? { status, body }
    : { status, body, headers: { "x-accepted-github-permissions": accepted } };
}

const encodeJsonBody = (body: unknown): Buffer =>
  body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));

// Weak comparison: it ignores the prefix W/.
const hasEtag = (header: string | null, etag: string): boolean =>
  (header ?? "").split(",").some((known) => known.trim().replace(/^W\//, "") === etag.replace(/^W\//, ""));
