import type { Links } from "../../render/renderer.ts";
import type { JobDeps } from "../run/deps.ts";

/** Links in comments and checks. */
export const buildLinks = ({
  githubPages,
  policyPage,
}: Pick<JobDeps, "githubPages" | "policyPage">): Links => ({
  details: null,
  recheckHint: true,
  github: githubPages,
  ...(policyPage !== undefined && { policyPage }),
});
