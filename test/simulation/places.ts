import type { SimulatedGitHub } from "./simulated-github.ts";
import type { SimulatedPlatform } from "./simulated-platform.ts";
import type { VirtualTime } from "./virtual-time.ts";

export const OWNER = "acme";
export const NAME = "shop";
export const REPOSITORY = `${OWNER}/${NAME}`;
/** The fork of somebody of the finance team. */
export const FORK_OWNER = "heidi";
export const FORK = `${FORK_OWNER}/${NAME}`;
/** Where the organisation's policy is. */
export const ORGANISATION_REPOSITORY = `${OWNER}/.github`;
export const BOT_URL = "http://127.0.0.1:4000";

/** What people and the CI can see and change. */
export interface Surroundings {
  readonly github: SimulatedGitHub;
  readonly platform: SimulatedPlatform;
  readonly time: VirtualTime;
}
