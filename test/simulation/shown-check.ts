import type { SandboxPull } from "../../sandbox/state/records.ts";
import { allCheckNamesOf, checkNamesOf } from "./oracle/policy.ts";
import { REPOSITORY, type Surroundings } from "./places.ts";

/** Where the App's checks are. */
interface AppPlace extends Pick<Surroundings, "github"> {
  readonly appId: number;
}

/** What GitHub shows as the check of the pull request's base on its head: a conclusion, else a status; null: nothing. */
export const checkOf = (place: AppPlace, { headSha, baseRef }: Pick<SandboxPull, "headSha" | "baseRef">) =>
  shownOn(place, headSha, baseRef);

/** What GitHub shows as the check of a base branch on a commit: the newest one of those with a name that it may have. */
export function shownOn(place: AppPlace, sha: string, branch: string): string | null {
  const runs = checkNamesOf(place, branch).flatMap((name) => listNewestRun(place, sha, name));
  const [newest] = runs.sort((a, b) => b.id - a.id);
  return newest === undefined ? null : (newest.conclusion ?? newest.status);
}

/** What GitHub shows under each name that any policy gives to the check of a base branch. */
export const allShownOn = (place: AppPlace, sha: string, branch: string): ReadonlyMap<string, string> =>
  new Map(
    allCheckNamesOf(branch).flatMap((name) =>
      listNewestRun(place, sha, name).map(({ conclusion, status }) => [name, conclusion ?? status]),
    ),
  );

const listNewestRun = ({ github, appId }: AppPlace, sha: string, name: string) =>
  github.verbs.checkRuns({ repository: REPOSITORY, sha, appId, name }).slice(0, 1);

/** Whether GitHub lets a pull request or a merge group with this check be merged. */
export const isPassing = (shown: string | null): boolean => shown === "success" || shown === "neutral";
