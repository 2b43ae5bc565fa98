import type { Clock } from "../kernel/clock.ts";
import type { GitHubApp } from "./app.ts";
import type { FailureKind } from "./client/result.ts";

/** Whether GitHub accepts the App's id and key. `unknown`: GitHub has not said so yet. */
export type CredentialState = "accepted" | "rejected" | "unknown";

/** Asks GitHub whether it accepts the App's credentials. */
export type CredentialCheck = () => Promise<CredentialState>;

interface CredentialLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How long an answer counts, in ms: health is asked for every few seconds. */
const AGE_MS = 60_000;

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
  let pending: Promise<CredentialState> | null = null;

  async function ask(): Promise<CredentialState> {
    askedMs = clock.monotonicMs();
    const answer = await app.readIdentity();
    if (answer.ok && state === "rejected") log.info({}, "GitHub accepts the App's credentials again");
    if (answer.ok) state = "accepted";
    else if (REJECTIONS.includes(answer.failure.kind)) {
      if (state !== "rejected")
        log.error({ failure: answer.failure, hint: REJECTED_HINT }, "GitHub rejects the App's credentials");
      state = "rejected";
    }
    return state;
  }

  return async () => {
    if (pending === null && clock.monotonicMs() - askedMs >= AGE_MS)
      pending = ask().finally(() => {
        pending = null;
      });
    return state === "unknown" && pending !== null ? pending : state;
  };
}
