import type { InstallationClient } from "../../github/client/installation-client.ts";

/** Where a pull request's comments are written, and whether this job may still write them. */
export interface CommentTarget {
  readonly client: InstallationClient;
  readonly isCurrent: () => Promise<boolean>;
  /** Called when a request had no answer: it may take effect later, also after another one succeeded. */
  readonly noteUnanswered: () => void;
}
