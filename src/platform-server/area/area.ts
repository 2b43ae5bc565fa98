import type { Kysely } from "kysely";
import { z } from "zod";
import type { BodyMemory } from "../../kernel/body-memory.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Contract, EndpointInput, EndpointReply } from "../../platform/contract/endpoint.ts";
import type { DialectName } from "../../platform/contract/wire/translate.ts";
import type { Tables as BotTables } from "../../store/tables/tables.ts";
import type { Token } from "../../store/tokens.ts";
import type { ExecutionKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

/** One handler for each of these endpoints, whose input was validated. It throws a `Refusal`; the compiler rejects a missing handler. */
export type Area<C extends Contract> = {
  readonly [Name in keyof C]: (
    input: EndpointInput<C[Name]>,
    context: Context,
  ) => EndpointReply<C[Name]> | Promise<EndpointReply<C[Name]>>;
};

export interface Context extends Deps {
  readonly token: Token;
  /** The token's. */
  readonly account: string;
  /** Identifies this call in answers and in the operator's log. */
  readonly requestId: string;
}

export interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  /** Memory limits of the bodies that are being read. */
  readonly bodies: BodyMemory;
  /** Dialect of the answers. The server translates; handlers use the neutral names only. */
  readonly dialect: DialectName;
  /** Called after an execution was bound to a commit, or after a bound one ended. If it fails, the caller receives a 500 and may retry. */
  onIngest(commit: IngestedCommit): Promise<void>;
  /**
   * Removes in the transaction `trx` what the bot has of a binding. Returns what enqueues its pull requests, to be called after the
   * transaction; null: neither the bot nor the platform (`isRecorded`) had it.
   */
  onUnbind(trx: Kysely<BotTables>, unbound: UnboundExecution): Promise<(() => Promise<void>) | null>;
  /** The operator's webhook settings, with the encryption key of the webhooks' secrets. */
  readonly webhooks: WebhookSettings;
  /** Stores the job durably before the promise is fulfilled. It is performed at least once, perhaps by another process. */
  enqueue(job: PlatformJob): Promise<void>;
}

/** An execution that was bound to a commit, or whose state changed after it was bound. */
export interface IngestedCommit {
  /** The platform's account that the writing token belongs to. Ids are unique only within an account. */
  readonly account: string;
  /** GitHub's id of the repository that the writing token is bound to; null: a token of the whole account wrote it. */
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
  readonly repositoryId: number;
  /** The commit, and the heads and test merges of the same pull requests, open or closed. */
  readonly shas: readonly string[];
  /** Whether the platform had recorded it with one of these commits. */
  readonly isRecorded: boolean;
}

/** Work that an operation started and that continues after its answer, on the same queue as the bot's jobs. */
export const PlatformJob = z.discriminatedUnion("kind", [
  /** A bulk change of settings over every workspace of a project (provisioning 4.1). */
  z.object({ kind: z.literal("settings"), account: z.string(), jobId: z.int() }),
  /** One delivery of a webhook (document 1, section 6). */
  z.object({ kind: z.literal("webhook-delivery"), account: z.string(), deliveryId: z.int() }),
]);
export type PlatformJob = z.output<typeof PlatformJob>;
