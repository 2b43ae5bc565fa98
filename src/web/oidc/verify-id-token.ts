import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { type RefusalError, refuse } from "../read-json.ts";

export interface IdTokenRules {
  /** The `iss` claim, e.g. `https://token.actions.githubusercontent.com`; its keys are read below this URL only. */
  readonly issuer: string;
  /** The `aud` claim: the public URL of this server. */
  readonly audience: string;
}

export interface IdTokenDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** Shortest time between two reads of the issuer's keys because of an unknown key, in ms; absent: 30 s. */
  readonly cooldownMs?: number;
}

/** @throws RefusalError */
export type VerifyIdToken = (text: string) => Promise<JobClaims>;

/** GitHub signs with RS256. A list keeps `none` and shared-key algorithms out. */
const ALGORITHMS = ["RS256"];
/** Difference of clocks that is tolerated, in seconds. */
const CLOCK_TOLERANCE_S = 60;
/** Id tokens older than this are refused, whatever their expiry says. */
const MAX_AGE = "1h";
/** GitHub's id tokens have about 2,000 characters. */
const MAX_LENGTH = 16 * 1024;
/** After a failed read of the keys, the next one waits for this time, in ms. */
const FAILURE_PAUSE_MS = 5_000;

/**
 * Creates the verification of id tokens: algorithm, signature by the issuer's keys, issuer, audience, times and claims. Keys
 * are cached for ten minutes; an unknown key causes at most one read per `cooldownMs`, so that forged tokens cause no storm.
 */
export function createIdTokenVerifier({ issuer, audience }: IdTokenRules, deps: IdTokenDeps): VerifyIdToken {
  const findKey = createKeyFinder(issuer, deps);
  return async (text) => {
    if (text.length > MAX_LENGTH) throw createFormError();
    const { payload } = await jwtVerify(text, findKey, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(deps.clock.now()),
      maxTokenAge: MAX_AGE,
      requiredClaims: ["exp", "jti"],
    }).catch((error: unknown) => {
      throw explainFailure(error, { issuer, audience });
    });
    const claims = JobClaims.safeParse(payload, PARSE_OPTIONS);
    if (claims.success) return claims.data;
    const where = claims.error.issues.map(({ path }) => path.join(".")).join(", ");
    throw refuse(401, `the id token has no usable claims: ${where}`, WRONG_ISSUER_HINT);
  };
}

function createKeyFinder(
  issuer: string,
  { clock, fetch, cooldownMs = 30_000 }: IdTokenDeps,
): JWTVerifyGetKey {
  let failedMs: number | null = null;
  const createUnavailableError = () =>
    refuse(
      503,
      `the keys of ${issuer} cannot be read`,
      "Repeat it in a minute. If it stays so, check that this server reaches the issuer (OIDC_ISSUER).",
    );
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`), {
    cooldownDuration: cooldownMs,
    [customFetch]: async (url, options) => {
      // jose itself pauses after successful reads only.
      if (failedMs !== null && clock.monotonicMs() - failedMs < FAILURE_PAUSE_MS)
        throw createUnavailableError();
      const response = await fetch(url, options).catch(() => null);
      failedMs = response?.status === 200 ? null : clock.monotonicMs();
      if (response === null) throw createUnavailableError();
      return response;
    },
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      throw createUnavailableError();
    }
  };
}

const WRONG_ISSUER_HINT =
  "Send the id token of a GitHub Actions job; on GitHub Enterprise Server set GHE_HOST, or OIDC_ISSUER.";
const createFormError = () => refuse(401, "the id token is not a signed JSON web token", WRONG_ISSUER_HINT);

/** Returns the refusal for an error of jose; other errors stay as they are. */
function explainFailure(error: unknown, { issuer, audience }: IdTokenRules): unknown {
  if (error instanceof errors.JWTExpired)
    return refuse(401, "the id token has expired", "Request a new one in the same job.");
  if (error instanceof errors.JWTClaimValidationFailed) return explainClaim(error, { issuer, audience });
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return refuse(401, `no key of ${issuer} signed the id token`, WRONG_ISSUER_HINT);
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refuse(401, "the signature of the id token is wrong", WRONG_ISSUER_HINT);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return refuse(401, `the id token is not signed with ${ALGORITHMS.join(", ")}`, WRONG_ISSUER_HINT);
  return error instanceof errors.JOSEError ? createFormError() : error;
}

/** jose names the claim that failed; the claim's value is from outside and not repeated. */
function explainClaim(
  { claim }: errors.JWTClaimValidationFailed,
  { issuer, audience }: IdTokenRules,
): RefusalError {
  if (claim === "aud")
    return refuse(
      401,
      `the id token is for another audience; this server's is ${audience}`,
      "Call the server by its PUBLIC_URL: the client requests the audience of the URL that it calls.",
    );
  if (claim === "iss") return refuse(401, `the id token was not issued by ${issuer}`, WRONG_ISSUER_HINT);
  if (claim === "nbf" || claim === "iat")
    return refuse(401, "the id token is not valid yet", "Check the clocks of both machines.");
  return refuse(401, `the id token lacks the claim ${claim}`, WRONG_ISSUER_HINT);
}

const Id = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number);
const Label = z.string().min(1).max(1024);

/**
 * What GitHub states about the job that an id token was issued to (docs.github.com, "OpenID Connect
 * reference"). Names are labels; the ids decide.
 */
export const JobClaims = z.object({
  /** Identifies the id token. */
  jti: Label,
  repository_id: Id,
  repository_owner_id: Id,
  /** `owner/name`. */
  repository: Label,
  /** The commit of the workflow run; for `pull_request` the test merge of base and head, not the head. */
  sha: z.string().transform((text, context): Sha => {
    const sha = parseSha(text);
    if (sha !== null) return sha;
    context.addIssue({ code: "custom", message: "is not a full commit id" });
    return z.NEVER;
  }),
  /** `refs/pull/7/merge` for `pull_request`, otherwise a branch or a tag. */
  ref: Label,
  event_name: Label,
  /** File and ref of the workflow: `acme/shop/.github/workflows/plan.yml@refs/heads/main`. */
  workflow_ref: Label.optional(),
  /** Branches of the pull request, without `refs/heads/`; GitHub leaves both empty for events that are not of one. */
  head_ref: z.string().max(1024).default(""),
  base_ref: z.string().max(1024).default(""),
  run_id: Label,
});
export type JobClaims = Readonly<z.infer<typeof JobClaims>>;

/** Whether the job runs a workflow of a branch, for that branch. `x@refs/heads/main` is the name of a branch, too: the end of `workflow_ref` alone proves nothing. */
export const isJobOfBranch = ({ ref, workflow_ref }: JobClaims, branch: string): boolean =>
  ref === `refs/heads/${branch}` && workflow_ref?.endsWith(`@${ref}`) === true;
