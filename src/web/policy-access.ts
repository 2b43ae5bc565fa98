import type { PerformTask } from "../policy/tasks/task.ts";
import type { InstalledRepository } from "../store/installations.ts";

/** A policy file as GitHub has it now. `name` names it in problems, e.g. `acme/infra:.github/tollgate.yml`. */
export type BranchFile =
  | { readonly state: "found"; readonly name: string; readonly text: string }
  | { readonly state: "absent" }
  | { readonly state: "unreadable" };

/** The policy files for pull requests into the default branch. */
export interface BranchFiles {
  readonly branch: string;
  readonly repository: BranchFile;
  readonly organisation: BranchFile;
  /** GitHub's id of the repository with the organisation's file; null: there is none. */
  readonly organisationRepositoryId: number | null;
}

/** What the policy page needs beside the store. */
export interface PolicyAccess {
  /** Reads the files from GitHub as the App; null: GitHub does not answer, or the repository has no branch. */
  readonly readFiles: (repository: InstalledRepository) => Promise<BranchFiles | null>;
  /** Performs tasks of proposed policies, which never delay policies in force. */
  readonly perform: PerformTask;
}
