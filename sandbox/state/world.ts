import type { Clock } from "../../src/kernel/clock.ts";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { PullKey } from "../../src/kernel/ids.ts";
import { Collection } from "./collection.ts";
import { type ObjectStore, readCommit } from "./git.ts";
import type { Random } from "./random.ts";
import type {
  AccessToken,
  Account,
  App,
  AuthorizationCode,
  BranchActivity,
  CheckRun,
  CheckSuite,
  Installation,
  Membership,
  MergeGroup,
  Notification,
  Permission,
  PreparedPush,
  Protection,
  Reaction,
  Repository,
  Review,
  SandboxComment,
  SandboxPull,
  Stack,
  Status,
  Team,
  UserToken,
} from "./records.ts";

/** An event to deliver to an App. */
export interface Notice {
  readonly app: App;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly event: string;
  readonly action: string | null;
  readonly body: string;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The sandbox's URL, without a trailing slash. */
  readonly origin: () => string;
  readonly notify: (notice: Notice) => void;
  readonly longTokens: boolean;
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

/** The whole state of a sandbox. Two sandboxes in one process share nothing. */
export type World = ReturnType<typeof createWorld>;

/** Creates an empty GitHub. */
export function createWorld(options: WorldOptions) {
  const objects = new Map<number, ObjectStore>();
  const next = { ...FIRST_ID };
  return {
    ...options,
    accounts: new Collection<Account>("account"),
    teams: new Collection<Team>("team"),
    memberships: new Collection<Membership>("membership"),
    apps: new Collection<App>("app"),
    installations: new Collection<Installation>("installation"),
    tokens: new Map<string, AccessToken>(),
    /** By the token that calls the API. */
    userTokens: new Map<string, UserToken>(),
    authorizationCodes: new Map<string, AuthorizationCode>(),
    repositories: new Collection<Repository>("repository"),
    activities: new Collection<BranchActivity>("activity", buildRepositoryKey),
    /** The repository's id by a name that it had, in lower case; the API redirects it. */
    formerNames: new Map<string, number>(),
    protections: new Collection<Protection>("protection"),
    pulls: new Collection<SandboxPull>("pull request", buildRepositoryKey),
    stacks: new Collection<Stack>("stack", buildRepositoryKey),
    /** Cached test merges by base and head; reads are much more frequent than changes. */
    testMerges: new Map<string, string | null>(),
    comments: new Collection<SandboxComment>("comment", buildPullKey),
    reviews: new Collection<Review>("review", buildPullKey),
    reactions: new Collection<Reaction>("reaction", ({ commentId }) => String(commentId)),
    notifications: new Collection<Notification>("notification", buildPullKey),
    /** By the key of the pull request. */
    preparedPushes: new Map<string, readonly PreparedPush[]>(),
    /** Words on each person as whom a visitor of the pages may act, by id; empty: everybody may be chosen. */
    cast: new Map<number, string>(),
    mergeGroups: new Collection<MergeGroup>("merge group"),
    statuses: new Collection<Status>("status", buildCommitKey),
    checkSuites: new Collection<CheckSuite>("check suite", buildHeadKey),
    checkRuns: new Collection<CheckRun>("check run", buildHeadKey),
    /** The git objects that a network of repositories shares. */
    objects: (networkId: number): ObjectStore => {
      const found = objects.get(networkId) ?? new Map();
      objects.set(networkId, found);
      return found;
    },
    /** Returns the next id of a kind of record; ids are never reused. */
    nextId: (kind: keyof typeof FIRST_ID): number => {
      next[kind] += 1;
      return next[kind] - 1;
    },
  };
}

/** Returns a number that is another one after every change of a record. */
export const countChanges = (world: World): number =>
  Object.values(world).reduce((sum, part) => (part instanceof Collection ? sum + part.changes : sum), 0);

const buildRepositoryKey = ({ repositoryId }: { repositoryId: number }): string => String(repositoryId);

/** Returns the group key of a commit's statuses. */
export const buildCommitKey = (at: { repositoryId: number; sha: string }): string =>
  `${at.repositoryId}:${at.sha}`;

/** Returns the group key of a commit's suites and runs. */
export const buildHeadKey = ({ repositoryId, headSha }: { repositoryId: number; headSha: string }): string =>
  buildCommitKey({ repositoryId, sha: headSha });

/** Returns the group key of a pull request's comments and reviews. */
export const buildPullKey = (at: PullKey): string => `${at.repositoryId}#${at.number}`;

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const findAccount = (world: World, login: string): Account | null =>
  world.accounts.find((account) => isSameName(account.login, login));

export function findTeam(world: World, organisation: string, slug: string): Team | null {
  const organisationId = findAccount(world, organisation)?.id;
  return world.teams.find((row) => row.organisationId === organisationId && row.slug === slug);
}

export const getFullName = (world: World, repository: Repository): string =>
  `${world.accounts.require(repository.ownerId).login}/${repository.name}`;

/** Finds a repository by its current "owner/name", case-insensitively. */
export function findRepository(world: World, name: string): Repository | null {
  const [owner = "", repositoryName = ""] = name.split("/");
  const ownerId = findAccount(world, owner)?.id;
  return world.repositories.find((row) => row.ownerId === ownerId && isSameName(row.name, repositoryName));
}

/** Returns the repository that formerly had this name, or null. */
export const findFormerRepository = (world: World, name: string): Repository | null =>
  findRepository(world, name) === null
    ? world.repositories.get(world.formerNames.get(name.toLowerCase()) ?? 0)
    : null;

export const findPull = (world: World, key: PullKey): SandboxPull | null =>
  world.pulls.group(buildRepositoryKey(key)).find((pull) => pull.number === key.number) ?? null;

/** The same for verbs: throws when the named record does not exist. */
export const requireAccount = (world: World, login: string): Account =>
  requireFound(findAccount(world, login), `account "${login}"`);
export const requireRepository = (world: World, name: string): Repository =>
  requireFound(findRepository(world, name), `repository "${name}"`);
export const requirePull = (world: World, key: PullKey): SandboxPull =>
  requireFound(findPull(world, key), `pull request #${key.number} in repository ${key.repositoryId}`);

function requireFound<T>(value: T | null, what: string): T {
  if (value === null) throw new TollgateError("usage", `the sandbox has no ${what}`);
  return value;
}

export const getObjects = (world: World, repository: Repository): ObjectStore =>
  world.objects(repository.networkId);

/** Returns the account that acts: the named one, by default that of an id. */
export const resolvePerson = (world: World, login: string | undefined, defaultId: number): Account =>
  login === undefined ? world.accounts.require(defaultId) : requireAccount(world, login);

/** Returns the account that acts in a repository: the named one, by default its owner, or the organisation's first admin. */
export const resolveActor = (world: World, repository: Repository, login?: string): Account =>
  resolvePerson(world, login, findActingPerson(world, repository.ownerId).id);

export function findActingPerson(world: World, ownerId: number): Account {
  const admin = world.memberships.find((row) => row.organisationId === ownerId && row.role === "admin");
  return world.accounts.require(admin?.userId ?? ownerId);
}

/** Resolves a branch name, a full ref, a commit id or its prefix (7 or more characters) to a commit id; null when it does not exist. */
export function resolveRef(world: World, repository: Repository, ref: string): string | null {
  const name = ref.replace(/^refs\//, "").replace(/^heads\//, "");
  const branch = repository.branches.get(name);
  if (branch !== undefined) return branch;
  const pull = /^pull\/(\d+)\/head$/.exec(name)?.[1];
  if (pull !== undefined)
    return findPull(world, { repositoryId: repository.id, number: Number(pull) })?.headSha ?? null;
  const objects = getObjects(world, repository);
  if (readCommit(objects, ref) !== null) return ref;
  if (!/^[0-9a-f]{7,39}$/.test(ref)) return null;
  return objects.keys().find((sha) => sha.startsWith(ref) && readCommit(objects, sha) !== null) ?? null;
}

export const isInstalledOn = (installation: Installation, repository: Repository): boolean =>
  installation.ownerId === repository.ownerId &&
  (installation.repositories === "all" || installation.repositories.includes(repository.id));

/** Returns a user's access to a repository: the highest of ownership, membership and collaboration. */
export function getPermission(world: World, repository: Repository, userId: number): Permission {
  if (repository.ownerId === userId) return "admin";
  const member = findMembership(world, repository.ownerId, userId);
  if (member?.role === "admin") return "admin";
  const direct = repository.collaborators.get(userId);
  if (direct !== undefined) return direct;
  return member !== null || repository.visibility === "public" ? "read" : "none";
}

export const findMembership = (world: World, organisationId: number, userId: number): Membership | null =>
  world.memberships.find((row) => row.organisationId === organisationId && row.userId === userId);

/** Prefixes of GitHub's global ids by type name in the GraphQL schema. */
const NODE_PREFIX = {
  Repository: "R",
  IssueComment: "IC",
  PullRequestReview: "PRR",
  CheckRun: "CR",
} as const;

type NodeType = keyof typeof NODE_PREFIX;

/** Returns a global id in GitHub's form: a prefix and opaque text. */
export const buildNodeId = (type: NodeType, id: number): string =>
  `${NODE_PREFIX[type]}_${Buffer.from(`${type}:${id}`).toString("base64url")}`;

/** Returns the numeric id in a global id of that type; -1, which no record has, for any other text. */
export function parseNodeId(type: NodeType, text: string): number {
  const [, encoded = ""] = text.split(`${NODE_PREFIX[type]}_`);
  const match = /^(\w+):(\d+)$/.exec(Buffer.from(encoded, "base64url").toString());
  return match?.[1] === type ? Number(match[2]) : -1;
}
