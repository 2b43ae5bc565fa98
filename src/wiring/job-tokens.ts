import { selectGrants } from "../evaluate/facts/platform/grants.ts";
import type { JobDeps } from "../evaluate/run/deps.ts";
import type { GitHubApp } from "../github/app.ts";
import { readPullMerge } from "../github/head/pull-merge.ts";
import { readDefaultBranch } from "../github/inspection/read-repository.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { Settings } from "../settings/settings.ts";
import type { Refusal } from "../web/oidc/job-access.ts";
import { getAudience } from "../web/oidc/job-access.ts";
import type { JobTokenRouteDeps } from "../web/oidc/route.ts";
import { createIdTokenVerifier } from "../web/oidc/verify-id-token.ts";

interface JobTokenParts {
  readonly deps: JobDeps;
  readonly app: GitHubApp;
  readonly saveCommitPulls: JobTokenRouteDeps["saveCommitPulls"];
}

/** Builds what the exchange of id tokens needs; null: the server has no public URL, no embedded platform, or the operator accepts none. */
export function buildJobTokenDeps(
  { deps, app, saveCommitPulls }: JobTokenParts,
  { publicUrl, oidcIssuer: issuer, platform }: Pick<Settings, "publicUrl" | "oidcIssuer" | "platform">,
): JobTokenRouteDeps | null {
  if (publicUrl === null || issuer === null || platform.kind !== "embedded") return null;
  const { db, clock, log, githubPages, operator } = deps;
  return {
    ...{ db, clock, githubPages, issuer, account: platform.account, saveCommitPulls },
    verify: createIdTokenVerifier({ issuer, audience: getAudience(publicUrl) }, { clock, fetch }),
    listGrantedProjects: (ids) => selectGrants(operator, ids),
    readPullMerge: async ({ repository_id: repositoryId, installation_id }, number, sha) => {
      const read = await readPullMerge(app.installation(installation_id), { repositoryId, number, sha });
      if (read.ok) return read.value;
      throw new TollgateError(
        "github_failed",
        `GitHub could not read pull request #${number}: ${read.failure.kind}`,
        {
          retryable: true,
        },
      );
    },
    readDefaultBranch: async ({ owner_login: owner, name: repo, installation_id }) => {
      const read = await readDefaultBranch(app.installation(installation_id).octokit, { owner, repo });
      if (read.ok) return read.value;
      throw new TollgateError(
        "github_failed",
        `GitHub could not read the repository ${owner}/${repo}: ${read.failure.kind}`,
        { retryable: true },
      );
    },
    onOutcome: (outcome, refusal) => log[chooseLevel(refusal)](outcome, "a CI job asked for a token"),
  };
}

/** Anybody can send what is no id token of this issuer: that must not fill the log. */
function chooseLevel(refusal: Refusal | null): "debug" | "info" | "warn" {
  if (refusal?.refused === "unauthorized") return "debug";
  return refusal?.refused === "unavailable" ? "warn" : "info";
}
