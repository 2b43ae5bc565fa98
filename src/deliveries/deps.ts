import type { Log } from "../evaluate/run/deps.ts";
import type { OperatorRules } from "../evaluate/run/operator-rules.ts";
import type { CommitEvent, RepositoryLabel } from "../github/webhooks/lane-event.ts";
import type { EnqueueDeps } from "../queue/queue.ts";

/** Dependencies of the delivery handlers. */
export interface DeliveryDeps extends EnqueueDeps {
  readonly log: Log;
  readonly operator: Pick<OperatorRules, "publicFigures">;
  /** Reads the open pull requests that contain a commit from GitHub. Throws when it does not answer; retryable, unless it refuses. */
  readonly findCommitPulls: (
    installationId: number,
    repository: RepositoryLabel,
    sha: string,
  ) => Promise<readonly OpenPull[]>;
  /** Saves the execution that a status or check names on a commit, if its poster is trusted. */
  readonly rememberNamed: (
    commit: { readonly repositoryId: number; readonly sha: string },
    named: NonNullable<CommitEvent["named"]>,
  ) => Promise<void>;
  /** Lists an installation's repositories again. Throws when GitHub does not answer; retryable, unless it refuses. */
  readonly discover: (installationId: number) => Promise<void>;
}

export interface OpenPull {
  readonly number: number;
  readonly headSha: string;
  readonly mergeSha: string | null;
  readonly baseRef: string;
}
