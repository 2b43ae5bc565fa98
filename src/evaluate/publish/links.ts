import type { Links } from "../../render/renderer.ts";
import type { JobDeps, PullPlace } from "../run/deps.ts";

type LinksDeps = Pick<JobDeps, "githubPages" | "policyPage" | "buildPullPage" | "isOneShot">;

/** Links in comments and checks of a pull request. */
export const buildLinks = (
  { githubPages, policyPage, buildPullPage, isOneShot }: LinksDeps,
  pull: PullPlace,
): Links => ({
  details: buildPullPage?.(pull) ?? null,
  recheckHint: !isOneShot,
  github: githubPages,
  ...(policyPage !== undefined && { policyPage }),
});
