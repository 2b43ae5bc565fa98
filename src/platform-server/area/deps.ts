import type { Kysely } from "kysely";
import type { BodyMemory } from "../../kernel/body-memory.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import type { Token } from "../../store/tokens.ts";
import type { WebhookSettings } from "../outbound/webhook-settings.ts";
import type { PlatformJob } from "./platform-job.ts";

/** An execution that was bound to a commit, or whose state changed after it was. */
export interface IngestedCommit {
  /** GitHub's id of the repository that the writing token is bound to; null: a token of the whole account wrote it. */
  readonly repositoryId: number | null;
  /** `owner/name` in lower case. */
  readonly repository: string;
  readonly sha: string;
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
}

/** What every handler of an area has at hand; `Tables`: those that the area reads and writes. */
export interface Deps<Tables> {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** What all bodies that are being read may hold. */
  readonly bodies: BodyMemory;
  /** In whose names answers are written; the door translates, handlers speak the neutral ones. */
  readonly dialect: DialectName;
  /** How long attribute data may be read after its snapshot was committed, in ms. */
  readonly detailRetentionMs: number;
  onIngest(commit: IngestedCommit): Promise<void>;
  /** What the operator decides about webhooks, and the key that keeps their secrets. */
  readonly webhooks: WebhookSettings;
  /** Keeps the job durably before the promise is fulfilled; it runs at least once, perhaps elsewhere. */
  enqueue(job: PlatformJob): Promise<void>;
}

export interface Context<Tables> extends Deps<Tables> {
  readonly token: Token;
  /** Names this one call, in answers and in the operator's log. */
  readonly requestId: string;
}
