import { z } from "zod";
import { isScopeName, parseSha, SCOPE_NAME } from "../../kernel/ids.ts";

/** Path of the exchange of id tokens, below the server's URL. */
export const JOB_TOKEN_PATH = "/tollgate/v1/job-token";

const ScopeName = z.string().refine(isScopeName, `expected ${SCOPE_NAME}`);

/** What a job may say beside its id token. */
export const JobRequest = z.strictObject({
  org: ScopeName.optional(),
  project: ScopeName.optional(),
  /** A full commit id, needed where the id token does not say the head. */
  sha: z
    .string()
    .transform((text) => parseSha(text.toLowerCase()))
    .refine((sha) => sha !== null, "expected a full commit id")
    .optional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/** What a job received for its id token: a token, and to what it is bound. */
export const JobAccess = z.object({
  /** To be sent as `x-api-key`. */
  token: z.string(),
  /** ISO 8601. */
  expires: z.string(),
  account: z.string(),
  org: z.string(),
  project: z.string(),
  /** `owner/name`, as Tollgate knows it. */
  repository: z.string(),
  repository_url: z.string(),
  /** The pull request's head. */
  sha: z.string(),
});
export type JobAccess = Readonly<z.infer<typeof JobAccess>>;

/** The HTTP status of each kind of refusal. `unavailable`: the same request may succeed later. */
const STATUS = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  repeated: 409,
  no_open_head: 422,
  unavailable: 503,
} as const;
type RefusalKind = keyof typeof STATUS;

/** Why an id token gives no access, for the reader of the job's log. It contains no part of a credential. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly refused: RefusalKind;
  readonly hint: string;

  constructor(refused: RefusalKind, message: string, hint: string) {
    super(message);
    this.refused = refused;
    this.hint = hint;
  }

  toResponse(): Response {
    return Response.json({ message: this.message, hint: this.hint }, { status: STATUS[this.refused] });
  }
}

/** Returns the audience of id tokens for the server at a URL: the URL without a slash at the end, its host in lower case. */
export function getAudience(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
