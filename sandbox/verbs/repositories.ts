import type { Protection, Repository, RequiredCheck, Visibility } from "../state/repositories.ts";

/** Content of a path: text, bytes, null to delete it, or a submodule, symbolic link or executable. */
export type FileContent =
  | string
  | Uint8Array
  | null
  | { readonly symlink: string }
  | { readonly submodule: string }
  | { readonly executable: string };

export type FileTree = Readonly<Record<string, FileContent>>;

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** Default "private". */
  readonly visibility?: Visibility;
  /** Default "main". */
  readonly defaultBranch?: string;
  /** Files of the first commit; default a README. */
  readonly files?: FileTree;
}

export interface Push {
  readonly repository: string;
  /** Created from `from` when missing. */
  readonly branch: string;
  readonly files: FileTree;
  readonly message?: string;
  /** A branch or commit id that a new branch starts at; default the default branch. */
  readonly from?: string;
  /** Login of the commit's author, when somebody else pushes it. */
  readonly author?: string;
  /** Login of the committer and pusher; default the owner or the organisation's first admin. */
  readonly by?: string;
}

/** Commit ids; `before` is 40 zeros when the push created the branch. */
export interface PushResult {
  readonly before: string;
  readonly after: string;
}

/** Repositories and their branches. Repositories are named "owner/name". */
export interface RepositoryVerbs {
  createRepository(spec: NewRepository): Repository;
  /** Sends `fork`. The default name is the parent's. */
  forkRepository(spec: { repository: string; owner: string; name?: string }): Repository;
  repository(name: string): Repository;
  /** One commit on top of the branch. Sends `push`, `check_suite.requested`, and `pull_request.synchronize` per open pull request from that branch. */
  push(spec: Push): PushResult;
  /** Like `push`, but the commit replaces the tip: its parent is `onto` (default the tip's own parent). */
  forcePush(spec: Push & { onto?: string }): PushResult;
  /** Points a branch at an existing commit; creates the branch if needed. Sends the same deliveries as a push. */
  moveBranch(spec: { repository: string; branch: string; sha: string; by?: string }): PushResult;
  deleteBranch(spec: { repository: string; branch: string; by?: string }): void;
  /** Sends `repository.renamed`; the old name answers with a redirect from now on. */
  renameRepository(spec: { repository: string; name: string; by?: string }): Repository;
  /** Sends `repository.transferred` to the new owner's installations. */
  transferRepository(spec: { repository: string; owner: string; by?: string }): Repository;
  /** Sends `repository.publicized` or `repository.privatized`. */
  setVisibility(spec: { repository: string; visibility: Visibility; by?: string }): Repository;
  /** Sends `repository.deleted`; pull requests from it lose their head repository. */
  deleteRepository(spec: { repository: string; by?: string }): void;
  protectBranch(spec: {
    repository: string;
    branch: string;
    requiredChecks: readonly RequiredCheck[];
    /** Default: "protection". */
    kind?: Protection["kind"];
    /** Whether a ruleset restricts who creates the branch; default: no. */
    restrictsCreation?: boolean;
  }): Protection;
  /** The file's text on a branch, tag or commit; null when there is no such file. */
  fileText(spec: { repository: string; ref: string; path: string }): string | null;
}
