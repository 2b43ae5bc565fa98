import type { Links } from "../../render/renderer.ts";
import type { JobDeps } from "../run/deps.ts";

/** Links in comments and checks. */
export const buildLinks = ({
  githubPages,
  policyPage,
  isOneShot,
}: Pick<JobDeps, "githubPages" | "policyPage" | "isOneShot">): Links => ({
  details: null,
  recheckHint: !isOneShot,
  github: githubPages,
  ...(policyPage !== undefined && { policyPage }),
});
