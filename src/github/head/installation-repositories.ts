import { z } from "zod";
import { type GitHubResult, succeeded } from "../client/answer.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import type { RepositoryLabel } from "../webhooks/payload/lane-event.ts";

export interface InstalledRepository extends RepositoryLabel {
  readonly ownerId: number;
  readonly archived: boolean;
}

const Page = z.object({
  repositories: z.array(
    z.object({
      id: z.int().positive(),
      name: z.string(),
      archived: z.boolean().default(false),
      owner: z.object({ id: z.int().positive(), login: z.string() }),
    }),
  ),
});

const PER_PAGE = 100;
const MAX_PAGES = 500;

/** Every repository that the installation covers. */
export async function listRepositories(
  client: InstallationClient,
): Promise<GitHubResult<readonly InstalledRepository[]>> {
  const found: InstalledRepository[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const parameters = { per_page: PER_PAGE, page };
    const answer = await client.read({ route: "GET /installation/repositories", parameters, answer: Page });
    if (!answer.ok) return answer;
    for (const { id, name, archived, owner } of answer.value.repositories) {
      found.push({ id, name, archived, owner: owner.login, ownerId: owner.id });
    }
    if (answer.value.repositories.length < PER_PAGE) break;
  }
  return succeeded(found);
}
