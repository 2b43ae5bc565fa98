import type { Kysely } from "kysely";
import type { BodyMemory } from "../../kernel/body-memory.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import type { Tables as BotTables } from "../../store/tables/tables.ts";
import type { Token } from "../../store/tokens.ts";
import type { WebhookSettings } from "../outbound/webhook-settings.ts";
import type { ExecutionKey } from "./keys.ts";
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

/** An execution that is removed from a commit of a repository. */
export interface UnboundExecution extends ExecutionKey {
  /** GitHub's id. */
  readonly repositoryId: number;
  /** The commit, and the heads and test merges of the same pull requests, open or closed. */
  readonly shas: readonly string[];
  /** Whether the platform had recorded it with one of these commits. */
  readonly isRecorded: boolean;
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
  /**
   * Removes in the transaction `trx` what the bot has of a binding. Returns what enqueues its pull requests, to be called after the
   * transaction; null: neither the bot nor the platform (`isRecorded`) had it.
   */
  onUnbind(trx: Kysely<BotTables>, unbound: UnboundExecution): Promise<(() => Promise<void>) | null>;
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
