import type { SandboxPull } from "../../src/sandbox/state/pulls.ts";
import { REPOSITORY } from "./places.ts";
import type { Story } from "./story.ts";

/** What GitHub shows as the check of the pull request's base on its head: a conclusion, else a status; null: nothing. */
export const checkOf = (story: Story, { headSha, baseRef }: Pick<SandboxPull, "headSha" | "baseRef">) =>
  shownOn(story, headSha, baseRef);

/** What GitHub shows as the check of a base branch on a commit. */
export function shownOn(story: Story, sha: string, branch: string): string | null {
  const [run] = story.github.verbs.checkRuns({
    repository: REPOSITORY,
    sha,
    appId: story.appId,
    name: `tollgate: ${branch}`,
  });
  return run === undefined ? null : (run.conclusion ?? run.status);
}

/** Whether GitHub lets a pull request or a merge group with this check be merged. */
export const isPassing = (shown: string | null): boolean => shown === "success" || shown === "neutral";
