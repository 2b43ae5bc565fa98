import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { readPages } from "../client/read-answer.ts";
import type { NamedRepository } from "./head-state.ts";

export interface InstalledRepository extends NamedRepository {
  readonly ownerId: number;
  readonly archived: boolean;
  readonly isPublic: boolean;
  /** When it was last changed, ms since 1970; null: not stated. */
  readonly updatedMs: number | null;
}

const Repository = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    archived: z.boolean().default(false),
    private: z.boolean().default(false),
    updated_at: z.string().nullish(),
    owner: z.object({ id: z.int().positive(), login: z.string() }),
  })
  .transform(
    ({ owner, private: isPrivate, updated_at: time, ...repository }): InstalledRepository => ({
      ...repository,
      isPublic: !isPrivate,
      updatedMs: time ? Date.parse(time) : null,
      owner: owner.login,
      ownerId: owner.id,
    }),
  );
const Page = z.object({ repositories: z.array(Repository) }).transform(({ repositories }) => repositories);

const MAX_PAGES = 500;

/** Every repository that the installation covers. Throws `GitHubError`. */
export const listRepositories = ({ octokit }: InstallationClient): Promise<readonly InstalledRepository[]> =>
  readPages((page) => octokit.rest.apps.listReposAccessibleToInstallation(page), Page, MAX_PAGES);
