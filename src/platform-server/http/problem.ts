import { randomBytes } from "node:crypto";

/** The named errors of provisioning section 7, two of HTTP's own (413, 415), and their numbers. */
const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  locked: 423,
  context_cancelled: 499,
  internal_server_error: 500,
} as const;
export type ProblemName = keyof typeof STATUS;

/** An answer that is not the one that was asked for. `message` is read by the caller: no cause, no secret, nothing of another tenant. */
export interface Problem {
  readonly problem: ProblemName;
  readonly message: string;
}

export const problem = (name: ProblemName, message: string): Problem => ({ problem: name, message });

export const isProblem = (value: object): value is Problem => "problem" in value;

/** The problem as the platform words it: Goa's error body with its media type. */
export function problemAnswer({ problem: name, message }: Problem): Response {
  const status = STATUS[name];
  const body = {
    name,
    id: randomBytes(6).toString("base64url"),
    message,
    temporary: name === "context_cancelled",
    timeout: false,
    fault: status >= 500,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/vnd.goa.error" },
  });
}
