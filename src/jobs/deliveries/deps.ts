import type { RepositoryLabel } from "../../github/webhooks/wake-event.ts";
import type { Log } from "../deps.ts";
import type { Waker } from "../wake.ts";

/** What handling deliveries needs of the world. */
export interface DeliveryDeps extends Waker {
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
