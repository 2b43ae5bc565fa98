import type { Log } from "../evaluate/run/deps.ts";
import type { RepositoryLabel } from "../github/webhooks/payload/lane-event.ts";
import type { EnqueueDeps } from "../queue/enqueue.ts";

/** What handling deliveries needs of the world. */
export interface DeliveryDeps extends EnqueueDeps {
  readonly log: Log;
  /** Open pull requests that contain a commit, asked of GitHub; throws when GitHub cannot say now. */
  readonly pullsOfCommit: (
    installationId: number,
    repository: RepositoryLabel,
    sha: string,
  ) => Promise<readonly OpenPull[]>;
  /** All of an installation's repositories are looked at again; throws when GitHub cannot say now. */
  readonly discover: (installationId: number) => Promise<void>;
}

export interface OpenPull {
  readonly number: number;
  readonly headSha: string;
  readonly mergeSha: string | null;
  readonly baseRef: string;
}
