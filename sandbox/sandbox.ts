import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Clock } from "../src/kernel/clock.ts";
import { createAccountVerbs } from "./actions/accounts.ts";
import { createAppVerbs } from "./actions/app-verbs.ts";
import { createCheckVerbs } from "./actions/check-verbs.ts";
import { createCommentVerbs } from "./actions/comments.ts";
import { createMergeQueueVerbs } from "./actions/pulls/merge-queue.ts";
import { createStackVerbs } from "./actions/pulls/stacks.ts";
import { createPullVerbs } from "./actions/pulls/verbs.ts";
import { createRepositoryVerbs } from "./actions/repositories.ts";
import { createRateLimiter } from "./api/rate.ts";
import { GraphqlDocuments } from "./graphql/documents.ts";
import { createFaults, type Faults } from "./http/faults.ts";
import { listen } from "./http/listen.ts";
import { createRequestLog, type RequestLog } from "./http/request-log.ts";
import { createApi } from "./http/server.ts";
import type { Deliveries } from "./outbox/deliveries.ts";
import { createOutbox, type Outbox, type SendDelivery } from "./outbox/outbox.ts";
import type { Random } from "./state/random.ts";
import { createWorld } from "./state/world.ts";
import type { AccountVerbs } from "./verbs/accounts.ts";
import type { AppVerbs } from "./verbs/apps.ts";
import type { CheckVerbs } from "./verbs/checks.ts";
import type { CommentVerbs } from "./verbs/comments.ts";
import type { MergeQueueVerbs, PullVerbs, StackVerbs } from "./verbs/pulls.ts";
import type { RepositoryVerbs } from "./verbs/repositories.ts";

/** GitHub's hourly limit of an installation with few repositories. */
const HOURLY_LIMIT = 5000;

export interface SandboxOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** 0 (the default): the system chooses. */
  readonly port?: number;
  /** Default "127.0.0.1". */
  readonly hostname?: string;
  /** Calls per installation and hour before the primary rate limit applies; default 5000. */
  readonly hourlyLimit?: number;
  /** "short" (default) are `ghs_` and 36 characters; "long" are about 520 characters with dots and dashes. */
  readonly tokens?: "short" | "long";
  /** What several sandboxes of one process share; default: documents of its own. */
  readonly documents?: GraphqlDocuments;
  /** "in order" (default): one delivery after the other; "at once": each when it happens, without an order, as GitHub sends them. */
  readonly deliveryOrder?: "in order" | "at once";
}

/**
 * A stateful GitHub on loopback. REST is at `url` and `url/api/v3`, GraphQL at `/graphql` and `/api/graphql`,
 * pages for people at `/` and `/{owner}/{repo}/pull/{number}`. Verbs perform the actions of people and send
 * GitHub's deliveries; a verb that GitHub would refuse throws a TollgateError with code "usage".
 */
export interface Sandbox
  extends AccountVerbs,
    AppVerbs,
    RepositoryVerbs,
    PullVerbs,
    StackVerbs,
    MergeQueueVerbs,
    CheckVerbs,
    CommentVerbs {
  /** e.g. "http://127.0.0.1:40123", without a trailing slash. */
  readonly url: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly deliveries: Deliveries;
  /** Stops listening and waits for pending deliveries. */
  close(): Promise<void>;
}

/** Starts the sandbox; it listens when this resolves. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  let url = "";
  const { api, outbox, ...sandbox } = assembleSandbox(options, { origin: () => url });
  const listener = await listen(api, { port: options.port ?? 0, hostname: options.hostname ?? "127.0.0.1" });
  url = listener.url;
  return {
    ...sandbox,
    url,
    close: async () => {
      await outbox.close();
      await listener.close();
    },
  };
}

export interface UnservedSandbox extends Omit<Sandbox, "url" | "close"> {
  readonly api: Hono<{ Bindings: HttpBindings }>;
  readonly outbox: Outbox;
}

/** The sandbox without a server: `origin` returns its address, and `send` replaces the network for deliveries. */
export function assembleSandbox(
  options: Omit<SandboxOptions, "port" | "hostname">,
  { origin, send }: { readonly origin: () => string; readonly send?: SendDelivery },
): UnservedSandbox {
  const { clock, random } = options;
  const outbox = createOutbox({
    clock,
    random,
    findApp: (id) => world.apps.require(id),
    nextId: () => world.nextId("delivery"),
    isUnordered: options.deliveryOrder === "at once",
    ...(send && { send }),
  });
  const longTokens = options.tokens === "long";
  const world = createWorld({ clock, random, longTokens, origin, notify: outbox.notify });
  const faults = createFaults();
  const requests = createRequestLog();
  const rate = createRateLimiter(clock, options.hourlyLimit ?? HOURLY_LIMIT);
  const documents = options.documents ?? new GraphqlDocuments();
  const api = createApi({ world, deliveries: outbox, faults, log: requests, rate, documents });
  return {
    ...createAccountVerbs(world),
    ...createAppVerbs(world),
    ...createRepositoryVerbs(world),
    ...createPullVerbs(world),
    ...createStackVerbs(world),
    ...createMergeQueueVerbs(world),
    ...createCheckVerbs(world),
    ...createCommentVerbs(world),
    faults,
    requests,
    deliveries: outbox,
    api,
    outbox,
  };
}
