import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import type { GitHubResult } from "../client/result.ts";
import { readPages } from "../client/to-result.ts";
import type { RepositoryLabel } from "../webhooks/payload/lane-event.ts";

export interface InstalledRepository extends RepositoryLabel {
  readonly ownerId: number;
  readonly archived: boolean;
  /** Whether everybody can read it. */
  readonly isPublic: boolean;
}

const Repository = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    archived: z.boolean().default(false),
    private: z.boolean().default(false),
    owner: z.object({ id: z.int().positive(), login: z.string() }),
  })
  .transform(
    ({ owner, private: isPrivate, ...repository }): InstalledRepository => ({
      ...repository,
      isPublic: !isPrivate,
      owner: owner.login,
      ownerId: owner.id,
    }),
  );
const Page = z.object({ repositories: z.array(Repository) }).transform(({ repositories }) => repositories);

const MAX_PAGES = 500;

/** Every repository that the installation covers. */
export const listRepositories = ({
  octokit,
}: InstallationClient): Promise<GitHubResult<readonly InstalledRepository[]>> =>
  readPages((page) => octokit.rest.apps.listReposAccessibleToInstallation(page), Page, MAX_PAGES);
