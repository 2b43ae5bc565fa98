import type { Clock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { Chance } from "./chance.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Faults } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";
import type { AccountVerbs } from "./verbs/accounts.ts";
import type { AppVerbs } from "./verbs/apps.ts";
import type { CheckVerbs } from "./verbs/checks.ts";
import type { CommentVerbs } from "./verbs/comments.ts";
import type { MergeQueueVerbs, PullVerbs } from "./verbs/pulls.ts";
import type { RepositoryVerbs } from "./verbs/repositories.ts";

export interface SandboxOptions {
  readonly clock: Clock;
  readonly chance: Chance;
  /** 0 (the default) lets the system choose. */
  readonly port?: number;
  /** Default "127.0.0.1". */
  readonly hostname?: string;
  /** Calls per installation and hour before the primary limit answers; default 5000. */
  readonly hourlyLimit?: number;
  /** "short" (default) are `ghs_` and 36 characters; "long" are about 520 characters with dots and dashes. */
  readonly tokens?: "short" | "long";
}

/**
 * A GitHub on loopback with state. REST is at `url` and `url/api/v3`, GraphQL at `/graphql` and `/api/graphql`,
 * pages for people at `/` and `/{owner}/{repo}/pull/{number}`. Verbs do what people do and send the deliveries GitHub would;
 * a verb that GitHub would refuse throws a TollgateError with code "usage".
 */
export interface Sandbox
  extends AccountVerbs,
    AppVerbs,
    RepositoryVerbs,
    PullVerbs,
    MergeQueueVerbs,
    CheckVerbs,
    CommentVerbs {
  /** e.g. "http://127.0.0.1:40123", without a slash at the end. */
  readonly url: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly deliveries: Deliveries;
  /** Stops listening and waits for deliveries on their way. */
  close(): Promise<void>;
}

/** Starts the sandbox; it listens when this resolves. */
export function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  throw new TollgateError("internal", `the sandbox is not built yet (port ${options.port ?? 0})`);
}
