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

/** What a job received for its id token, or for a token for imports: a token, and to what it is bound. */
export const JobAccess = z.object({
  /** To be sent as `x-api-key`. */
  token: z.string(),
  /** ISO 8601; null: of a token that was not made for the job. */
  expires: z.string().nullable(),
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

/** Returns the audience of id tokens for the server at a URL: the URL without a slash at the end, its host in lower case. */
export function getAudience(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
