import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Clock } from "../src/kernel/clock.ts";
import { GraphqlDocuments } from "./graphql/execution.ts";
import { Faults } from "./http/faults.ts";
import { listen } from "./http/listen.ts";
import { RequestLog } from "./http/request-log.ts";
import { createApi } from "./http/server.ts";
import { createAccountVerbs } from "./resources/accounts.ts";
import { createAppVerbs } from "./resources/apps.ts";
import { createBranchVerbs } from "./resources/branches.ts";
import { createCheckVerbs } from "./resources/check-runs.ts";
import { createCommentVerbs } from "./resources/comments.ts";
import { createMergeQueueVerbs } from "./resources/merge-queue.ts";
import { createMergeRuleVerbs } from "./resources/merge-rule.ts";
import { createPullVerbs } from "./resources/pull-verbs.ts";
import { createRepositoryVerbs } from "./resources/repositories.ts";
import { createReviewVerbs } from "./resources/reviews.ts";
import { createStackVerbs } from "./resources/stacks.ts";
import { createStatusVerbs } from "./resources/statuses.ts";
import { createUserTokenVerbs } from "./resources/user-tokens.ts";
import { Outbox, type SendDelivery } from "./state/outbox.ts";
import type { Random } from "./state/random.ts";
import { createWorld, type World } from "./state/world.ts";

export interface SandboxOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** 0 (the default): the system chooses. */
  readonly port?: number;
  /** Calls per installation and hour before the primary rate limit applies; default GitHub's for few repositories. */
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
export interface Sandbox extends Verbs {
  /** e.g. "http://127.0.0.1:40123", without a trailing slash. */
  readonly url: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly deliveries: Outbox;
  /** Stops listening and waits for pending deliveries. */
  close(): Promise<void>;
}

type Verbs = ReturnType<typeof createVerbs>;

/** What people, CI and other Apps do. */
export const createVerbs = (world: World) => ({
  ...createAccountVerbs(world),
  ...createAppVerbs(world),
  ...createUserTokenVerbs(world),
  ...createRepositoryVerbs(world),
  ...createBranchVerbs(world),
  ...createMergeRuleVerbs(world),
  ...createPullVerbs(world),
  ...createReviewVerbs(world),
  ...createStackVerbs(world),
  ...createMergeQueueVerbs(world),
  ...createStatusVerbs(world),
  ...createCheckVerbs(world),
  ...createCommentVerbs(world),
});

/** Starts the sandbox; it listens when this resolves. */
export async function createSandbox({ port = 0, ...options }: SandboxOptions): Promise<Sandbox> {
  let url = "";
  const { api, ...sandbox } = assembleSandbox(options, { origin: () => url });
  const listener = await listen(api, port);
  url = listener.url;
  const close = async () => {
    await sandbox.deliveries.close();
    await listener.close();
  };
  return { ...sandbox, url, close };
}

export interface UnservedSandbox extends Omit<Sandbox, "url" | "close"> {
  readonly api: Hono<{ Bindings: HttpBindings }>;
}

/** The sandbox without a server: `origin` returns its address, and `send` replaces the network for deliveries. */
export function assembleSandbox(
  options: Omit<SandboxOptions, "port">,
  { origin, send }: { readonly origin: () => string; readonly send?: SendDelivery },
): UnservedSandbox {
  const { clock, random, tokens, deliveryOrder, hourlyLimit = 5_000 } = options;
  const deliveries = new Outbox({
    clock,
    random,
    findApp: (id) => world.apps.require(id),
    nextId: () => world.nextId("delivery"),
    isUnordered: deliveryOrder === "at once",
    ...(send && { send }),
  });
  const notify = deliveries.notify.bind(deliveries);
  const world = createWorld({ clock, random, longTokens: tokens === "long", origin, notify });
  const faults = new Faults();
  const requests = new RequestLog();
  const documents = options.documents ?? new GraphqlDocuments();
  const api = createApi({ world, deliveries, faults, log: requests, hourlyLimit, documents });
  return { ...createVerbs(world), faults, requests, deliveries, api };
}
