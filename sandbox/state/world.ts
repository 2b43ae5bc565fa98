import type { Clock } from "../../src/kernel/clock.ts";
import type { ObjectStore } from "../git/objects.ts";
import type { Account, Membership, Team } from "./accounts.ts";
import type { AccessToken, App, AuthorizationCode, Installation, UserToken } from "./apps.ts";
import type { CheckRun, CheckSuite, Status } from "./checks.ts";
import { type Collection, createCollection } from "./collection.ts";
import type {
  MergeGroup,
  Notification,
  Reaction,
  Review,
  SandboxComment,
  SandboxPull,
  Stack,
} from "./pulls.ts";
import type { Random } from "./random.ts";
import type { BranchActivity, FormerName, Protection, Repository } from "./repositories.ts";

/** An event to deliver to an App. */
export interface Notice {
  readonly app: App;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly event: string;
  readonly action: string | null;
  readonly body: string;
}

/** The whole state of a sandbox. Two sandboxes in one process share nothing. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  /** The sandbox's URL, without a trailing slash. */
  readonly origin: () => string;
  readonly notify: (notice: Notice) => void;
  readonly longTokens: boolean;
  readonly accounts: Collection<Account>;
  readonly teams: Collection<Team>;
  readonly memberships: Collection<Membership>;
  readonly apps: Collection<App>;
  readonly installations: Collection<Installation>;
  readonly tokens: Map<string, AccessToken>;
  /** By the token that calls the API. */
  readonly userTokens: Map<string, UserToken>;
  readonly authorizationCodes: Map<string, AuthorizationCode>;
  /** Cached test merges by base and head; reads are much more frequent than changes. */
  readonly testMerges: Map<string, string | null>;
  readonly repositories: Collection<Repository>;
  readonly activities: Collection<BranchActivity>;
  readonly formerNames: Collection<FormerName>;
  readonly protections: Collection<Protection>;
  readonly pulls: Collection<SandboxPull>;
  readonly stacks: Collection<Stack>;
  readonly comments: Collection<SandboxComment>;
  readonly reviews: Collection<Review>;
  readonly reactions: Collection<Reaction>;
  readonly notifications: Collection<Notification>;
  readonly mergeGroups: Collection<MergeGroup>;
  readonly statuses: Collection<Status>;
  readonly checkSuites: Collection<CheckSuite>;
  readonly checkRuns: Collection<CheckRun>;
  /** The git objects that a network of repositories shares. */
  objects(networkId: number): ObjectStore;
  /** Returns the next id of a kind of record; ids are never reused. */
  nextId(kind: IdKind): number;
}

/** The first id of each kind. Checks and comments start above 2^32, as on GitHub, so that 32-bit ids fail. */
const FIRST_ID = {
  account: 21_031_067,
  app: 412_001,
  installation: 51_200_001,
  repository: 812_340_001,
  pull: 2_130_450_001,
  comment: 4_310_560_001,
  review: 2_870_560_001,
  status: 37_410_120_001,
  suite: 31_560_120_001,
  run: 42_810_230_001,
  delivery: 5_120_340_001,
  other: 6_001,
};

export type IdKind = keyof typeof FIRST_ID;

export type WorldOptions = Pick<World, "clock" | "random" | "origin" | "notify" | "longTokens">;

/** Creates an empty GitHub. */
export function createWorld(options: WorldOptions): World {
  const objects = new Map<number, ObjectStore>();
  const next: Record<IdKind, number> = { ...FIRST_ID };
  const store = (networkId: number): ObjectStore => {
    const found = objects.get(networkId) ?? new Map();
    objects.set(networkId, found);
    return found;
  };
  return {
    ...options,
    ...createCollections(),
    tokens: new Map(),
    userTokens: new Map(),
    authorizationCodes: new Map(),
    testMerges: new Map(),
    objects: store,
    nextId: (kind) => {
      next[kind] += 1;
      return next[kind] - 1;
    },
  };
}

/** Returns the group key of a commit's statuses, suites and runs. */
export const buildCommitKey = (at: { repositoryId: number; sha: string }): string =>
  `${at.repositoryId}:${at.sha}`;

/** Returns the group key of a pull request's comments and reviews. */
export const buildPullKey = (at: { repositoryId: number; number: number }): string =>
  `${at.repositoryId}#${at.number}`;

const buildHeadKey = (record: { repositoryId: number; headSha: string }): string =>
  buildCommitKey({ repositoryId: record.repositoryId, sha: record.headSha });

const createCollections = () => ({
  accounts: createCollection<Account>("account"),
  teams: createCollection<Team>("team"),
  memberships: createCollection<Membership>("membership"),
  apps: createCollection<App>("app"),
  installations: createCollection<Installation>("installation"),
  repositories: createCollection<Repository>("repository"),
  activities: createCollection<BranchActivity>("activity", ({ repositoryId }) => String(repositoryId)),
  formerNames: createCollection<FormerName>("former name"),
  protections: createCollection<Protection>("protection"),
  pulls: createCollection<SandboxPull>("pull request", (pull) => String(pull.repositoryId)),
  stacks: createCollection<Stack>("stack", (stack) => String(stack.repositoryId)),
  comments: createCollection<SandboxComment>("comment", buildPullKey),
  reviews: createCollection<Review>("review", buildPullKey),
  reactions: createCollection<Reaction>("reaction", ({ commentId }) => String(commentId)),
  notifications: createCollection<Notification>("notification", buildPullKey),
  mergeGroups: createCollection<MergeGroup>("merge group"),
  statuses: createCollection<Status>("status", buildCommitKey),
  checkSuites: createCollection<CheckSuite>("check suite", buildHeadKey),
  checkRuns: createCollection<CheckRun>("check run", buildHeadKey),
});
