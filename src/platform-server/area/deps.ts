import type { Kysely } from "kysely";
import type { BodyMemory } from "../../kernel/body-memory.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import type { Token } from "../../store/tokens.ts";
import type { WebhookSettings } from "../outbound/webhook-settings.ts";
import type { PlatformJob } from "./platform-job.ts";

/** An execution that was bound to a commit, or whose state changed after it was bound. */
export interface IngestedCommit {
  /** The platform's account that the writing token belongs to. Ids are unique only within an account. */
  readonly account: string;
  /**
   * GitHub's id of the repository that the writing token is bound to; null: a token of the whole account
   * wrote it.
   */
  readonly repositoryId: number | null;
  /** `owner/name` in lower case. */
  readonly repository: string;
  readonly sha: string;
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
}

/** The dependencies of every handler of an area; `Tables`: the tables that the area reads and writes. */
export interface Deps<Tables> {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Memory limits of the bodies that are being read. */
  readonly bodies: BodyMemory;
  /** Dialect of the answers. The server translates; handlers use the neutral names only. */
  readonly dialect: DialectName;
  /** Time after the commit of a snapshot during which its attribute data is readable, in ms. */
  readonly detailRetentionMs: number;
  onIngest(commit: IngestedCommit): Promise<void>;
  onUnbind(commit: IngestedCommit): Promise<boolean>;
  /** The operator's webhook settings, with the encryption key of the webhooks' secrets. */
  readonly webhooks: WebhookSettings;
  /**
   * Stores the job durably before the promise is fulfilled. The job is performed at least once, perhaps by
   * another process.
   */
  enqueue(job: PlatformJob): Promise<void>;
}

export interface Context<Tables> extends Deps<Tables> {
  readonly token: Token;
  /** Identifies this call in answers and in the operator's log. */
  readonly requestId: string;
}
