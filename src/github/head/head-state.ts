import type { Sha } from "../../kernel/ids.ts";

/** Most commits of a pull request that GitHub lists. Whether its count of them stops there too is not documented: this many may be more. */
export const MAX_COMMITS = 250;
/** Most files of a pull request that GitHub lists. */
export const MAX_FILES = 3000;

export type FileReadProblem =
  | "symlink"
  | "submodule"
  | "directory"
  | "binary"
  | "too_large"
  | "misnamed"
  | "misplaced"
  | "not_covered"
  | "forbidden"
  | "base_missing"
  | "malformed";

/**
 * A policy file on a branch. `absent` requires that the repository itself answered (or, for the organisation's file, that the
 * installation covers every repository): a file whose existence is unknown is `unreadable`.
 */
export type FileState =
  | { readonly state: "found"; readonly text: string; readonly blob: string; readonly source: FileSource }
  | { readonly state: "absent" }
  | { readonly state: "unreadable"; readonly reason: FileReadProblem };

/** Where the file was read: `owner/name`, branch, path, and the commit at the branch's tip. */
export interface FileSource {
  readonly repository: string;
  readonly ref: string;
  readonly path: string;
  readonly commit: string;
}

/** Why an existing file has no readable text. */
export type NoTextReason = Exclude<
  FileReadProblem,
  "misnamed" | "misplaced" | "not_covered" | "forbidden" | "base_missing"
>;

export interface Actor {
  /** Numeric user id; null for a deleted account. */
  readonly id: number | null;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization" | "Mannequin" | "EnterpriseUserAccount" | "unknown";
}

/** A commit status. Everybody with write access can post one. */
export interface StatusClaim {
  readonly context: string;
  readonly state: "error" | "expected" | "failure" | "pending" | "success";
  readonly targetUrl: string | null;
  readonly creator: Actor | null;
}

export interface CheckClaim {
  readonly id: number | null;
  /** GitHub's global id; absent: this kind of read does not state it. */
  readonly nodeId?: string;
  readonly name: string;
  readonly status: "completed" | "in_progress" | "pending" | "queued" | "requested" | "waiting" | "unknown";
  /** Lower case (`success`, `failure`, …); null until completed. */
  readonly conclusion: string | null;
  readonly detailsUrl: string | null;
  readonly externalId: string | null;
  readonly appId: number | null;
  readonly appSlug: string | null;
}

/** A repository by its id, which is its identity, and its names. */
export type NamedRepository = Pick<RepositoryState, "id" | "owner" | "name">;

export interface RepositoryState {
  readonly id: number;
  readonly nodeId: string;
  /** Current names, which may be newer than those of the query. */
  readonly owner: string;
  readonly name: string;
  readonly ownerId: number;
  readonly ownerType: "Organization" | "User";
  readonly visibility: "public" | "private" | "internal";
  readonly updatedMs: number;
}

/** The pull requests below one in its stack that are not merged, lowest first, with their heads now. */
export interface PullStack {
  readonly number: number;
  readonly below: readonly { readonly number: number; readonly headSha: Sha }[];
}

export interface PullState {
  readonly number: number;
  readonly state: "open" | "closed" | "merged";
  readonly draft: boolean;
  readonly title: string;
  readonly headSha: Sha;
  /** In a stack above others, the trunk. */
  readonly baseRef: string;
  /** Null: it is in no stack, or the lowest of it. */
  readonly stack: PullStack | null;
  /** The commit GitHub made to test the merge; null while unknown or in conflict. */
  readonly testMergeSha: Sha | null;
  /** When it was opened, ms since 1970; null: GitHub does not state it. */
  readonly openedMs: number | null;
  /** When it was closed or merged, ms since 1970; null: it is open. */
  readonly closedMs: number | null;
  /** When it was merged, ms since 1970; null: it is not. */
  readonly mergedMs: number | null;
  /** Who merged it, people and Apps alike; null: it is not merged, or the account is deleted. */
  readonly mergedBy: Actor | null;
  /** The commit on the base branch that it became; null: it is not merged, or GitHub does not state it. */
  readonly mergeSha: Sha | null;
  readonly author: Actor | null;
  /** The first hundred, which is as many as GitHub allows. */
  readonly labels: readonly string[];
  /** Paths before and after, each once. */
  readonly paths: readonly string[];
  /** False: GitHub lists 3,000 files at most, or the head moved while they were read. */
  readonly pathsComplete: boolean;
  /** False: it may have more commits than GitHub lists, so nobody can tell who worked on it. */
  readonly commitsComplete: boolean;
}

/** One pull request's head as GitHub shows it now: everything that an evaluation needs. */
export interface HeadState {
  readonly repository: RepositoryState;
  readonly pull: PullState;
  readonly statuses: readonly StatusClaim[];
  readonly checks: readonly CheckClaim[];
  /** False: there are more statuses and checks than are read (3,000). */
  readonly claimsComplete: boolean;
  readonly policy: {
    /** On the tip of the base branch. */
    readonly repository: FileState;
    /** In the organisation's `.github` repository. */
    readonly organisation: FileState;
    /** The pull request's own version: never in force, only compared with. */
    readonly head: FileState;
    /** Who owns code on the tip of the base branch; absent: not read. */
    readonly codeOwners?: FileState;
    /** Null: the repository has none. */
    readonly defaultBranch: DefaultBranch | null;
  };
}

/** A commit with its statuses and checks: the head of a pull request, or the commit of a merge group. */
export interface CommitState extends Pick<HeadState, "repository" | "statuses" | "checks"> {
  readonly pull: Pick<PullState, "headSha" | "testMergeSha">;
}

/** A repository's default branch, whose policy gives names to checks. */
export interface DefaultBranch {
  readonly name: string;
  readonly file: FileState;
}
