import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Transport } from "../../src/platform/transport.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import type { RunningBot } from "../../src/wiring/start.ts";

export const OWNER = "acme";
export const NAME = "shop";
export const REPOSITORY = `${OWNER}/${NAME}`;

/** What the people and machines of a world need of it. */
export interface Surroundings {
  readonly github: Sandbox;
  readonly bot: Pick<RunningBot, "url"> & { readonly session: { readonly store: Pick<Database, "db"> } };
  readonly repositoryId: number;
  /** How the CI reaches the platform; absent: over the network. */
  readonly transport?: Transport | undefined;
}
