import type { Permission } from "./accounts.ts";

export type Visibility = "public" | "private" | "internal";

export interface Repository {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly visibility: Visibility;
  readonly defaultBranch: string;
  /** The repository that this one is a fork of. */
  readonly parentId: number | null;
  /** Repositories of one network share their git objects, as forks do on GitHub. */
  readonly networkId: number;
  /** Commit id by branch name. */
  readonly branches: ReadonlyMap<string, string>;
  /** Direct access by user id, in addition to access by organisation membership. */
  readonly collaborators: ReadonlyMap<number, Permission>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly pushedAt: number;
}

/** A check that must pass before GitHub merges into a protected branch. */
export interface RequiredCheck {
  readonly context: string;
  /** Only this App's check counts; null accepts any source, statuses included. */
  readonly appId: number | null;
}

export interface Protection {
  readonly id: number;
  readonly repositoryId: number;
  readonly branch: string;
  readonly requiredChecks: readonly RequiredCheck[];
  /** A ruleset is not part of the branch's own protection. */
  readonly kind: "protection" | "ruleset";
  /** Whether only administrators may create the branch; rulesets tell it. */
  readonly restrictsCreation: boolean;
}

/** A former name of a repository; the API redirects it. `getFullName` is in lower case. */
export interface FormerName {
  readonly id: number;
  readonly fullName: string;
  readonly repositoryId: number;
}

/** One move of a branch. */
export interface BranchActivity {
  readonly id: number;
  readonly repositoryId: number;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly actorId: number;
  readonly at: number;
}
