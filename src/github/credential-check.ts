import { type Clock, MINUTE_MS } from "../kernel/clock.ts";
import type { GitHubApp } from "./app.ts";
import { toResult } from "./client/read-answer.ts";
import type { FailureKind, GitHubFailure } from "./client/result.ts";

/** Whether GitHub accepts the App's id and key. `unknown`: GitHub has not said so yet. */
export type CredentialState = "accepted" | "rejected" | "unknown";

export interface CheckedCredentials {
  readonly state: CredentialState;
  /** Why GitHub gave no answer the last time, in words that name no host; null: it answered, or was not asked yet. */
  readonly outage: string | null;
}

export type CredentialCheck = () => Promise<CheckedCredentials>;

/** GitHub's own messages may name an installation. */
const describeOutage = ({ status, message }: GitHubFailure): string =>
  status === null ? message : `status ${status}`;

interface CredentialLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How long an answer counts, in ms: health is asked for every few seconds. */
const AGE_MS = MINUTE_MS;
/** The same while GitHub does not answer. */
const OUTAGE_AGE_MS = 10_000;

/** The way out of rejected credentials. */
export const REJECTED_HINT =
  "APP_ID and the private key do not belong together, the key was deleted, or the App was. The App's settings page shows its ID and generates a new key.";

/** GitHub answers 401 to a key of another App and 404 to the id of a deleted one. */
const REJECTIONS: readonly FailureKind[] = ["unauthorised", "not_found", "gone", "suspended"];

/**
 * Makes a check that asks GitHub at most once a minute; only the first call waits for the answer. An answer that says nothing of the credentials (an outage, a rate limit, no
 * connection) leaves the state as it was: deliveries are stored and evaluated later, so nothing is gained by stopping them.
 */
export function createCredentialCheck(
  app: Pick<GitHubApp, "readIdentity">,
  { clock, log }: { readonly clock: Clock; readonly log: CredentialLog },
): CredentialCheck {
  let state: CredentialState = "unknown";
  let askedMs = Number.NEGATIVE_INFINITY;
  let outage: string | null = null;
  let pending: Promise<CheckedCredentials> | null = null;

  function noteOutage(found: string | null): void {
    if (found !== null && outage === null)
      log.error({ outage: found }, "GitHub does not answer: nothing is evaluated until it does");
    if (found === null && outage !== null) log.info({}, "GitHub answers again");
    outage = found;
  }

  function noteRejection(failure: GitHubFailure | null): void {
    if (failure === null && state === "rejected") log.info({}, "GitHub accepts the App's credentials again");
    if (failure !== null && state !== "rejected")
      log.error({ failure, hint: REJECTED_HINT }, "GitHub rejects the App's credentials");
    state = failure === null ? "accepted" : "rejected";
  }

  async function ask(): Promise<CheckedCredentials> {
    askedMs = clock.monotonicMs();
    const answer = await toResult(app.readIdentity());
    const failure = answer.ok ? null : answer.failure;
    const isAnswer = failure === null || REJECTIONS.includes(failure.kind);
    noteOutage(isAnswer ? null : describeOutage(failure));
    if (isAnswer) noteRejection(failure);
    return { state, outage };
  }

  return async () => {
    const ageMs = outage === null ? AGE_MS : OUTAGE_AGE_MS;
    if (pending === null && clock.monotonicMs() - askedMs >= ageMs)
      pending = ask().finally(() => {
        pending = null;
      });
    return state === "unknown" && pending !== null ? pending : { state, outage };
  };
}
