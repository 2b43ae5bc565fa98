import type { InstallationClient } from "../../github/client/installation-client.ts";

/** Where a pull request's comments are written, and whether that is still this run's to do. */
export interface CommentTarget {
  readonly client: InstallationClient;
  readonly stillCurrent: () => Promise<boolean>;
}
