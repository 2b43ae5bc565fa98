import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { PER_PAGE, readData } from "../client/read-answer.ts";
import type { RepositoryLabel } from "../webhooks/lane-event.ts";

const Run = z
  .object({
    id: z.int().positive(),
    conclusion: z.string().nullish(),
    app: z.object({ slug: z.string() }).nullish(),
    output: z.object({ text: z.string().nullish() }),
  })
  .transform(({ id, conclusion, app, output: { text } }) => ({
    ...{ id, app: app?.slug ?? "(unknown)", text: text ?? "" },
    isPassed: conclusion === "success" || conclusion === "neutral",
  }));
/** A check run. `app`: the slug of the App that wrote it. `text`: its Markdown, written by that App. */
type NamedRun = Readonly<z.infer<typeof Run>>;

const Runs = z.object({ check_runs: z.array(Run) });

/** Lists the newest check runs of a name on a commit, of every App, the newest first; at most 100. Throws `GitHubError`. */
export async function readNamedRuns(
  { octokit }: Pick<InstallationClient, "octokit">,
  { owner, name: repo }: Pick<RepositoryLabel, "owner" | "name">,
  { sha: ref, name: check_name }: { readonly sha: string; readonly name: string },
): Promise<readonly NamedRun[]> {
  const call = octokit.rest.checks.listForRef({ owner, repo, ref, check_name, per_page: PER_PAGE });
  const { check_runs: runs } = await readData(call, Runs);
  return runs.toSorted((a, b) => b.id - a.id);
}
