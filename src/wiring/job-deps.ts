import type { Logger } from "pino";
import { selectGrants } from "../evaluate/facts/grants.ts";
import type { JobDeps, PolicyTasks } from "../evaluate/run/deps.ts";
import type { GitHubApp } from "../github/app.ts";
import type { InstallationClient } from "../github/client/installation-client.ts";
import { readCommitPulls } from "../github/head/commit-pulls.ts";
import { readPullMerge } from "../github/head/pull-merge.ts";
import { readDefaultBranch } from "../github/inspection/read-repository.ts";
import { VERSION } from "../package/version.ts";
import { enqueueLane } from "../queue/queue.ts";
import { createRenderer, type Renderer } from "../render/renderer.ts";
import type { Settings } from "../settings/read.ts";
import { toEndOfSecond } from "../store/after-merge/merged-pulls.ts";
import type { Repository } from "../store/repositories.ts";
import { NO_TELEMETRY, type Telemetry } from "../telemetry/telemetry.ts";
import type { AppliesRouteDeps } from "../web/applies/route.ts";
import { getAudience } from "../web/oidc/job-access.ts";
import type { JobTokenRouteDeps } from "../web/oidc/route.ts";
import { createIdTokenVerifier } from "../web/oidc/verify-id-token.ts";
import { POLICY_REFERENCE } from "../web/policy-reference.ts";
import type { RefusalError } from "../web/read-json.ts";
import { listOwnUrls } from "./github.ts";
import { buildPageAddresses } from "./pages/pages-address.ts";
import type { ConnectedPlatform } from "./platform/connect.ts";
import { buildOperatorRules } from "./policy/operator-rules.ts";
import type { StoreSession } from "./process/store-session.ts";
import { loadOperatorTemplates, loadTemplates } from "./process/templates.ts";

export interface JobParts {
  readonly session: Pick<StoreSession, "store" | "queue" | "clock" | "laneSpacingMs">;
  readonly platform: Pick<ConnectedPlatform, "client" | "backgroundClient" | "pace" | "findByCommit">;
  readonly github: {
    readonly appId: number;
    installation(installationId: number): InstallationClient;
    /** Root URL of GitHub's pages, without a slash at the end. */
    readonly pages: string;
  };
  readonly policies: PolicyTasks;
  readonly log: Logger;
  /** Default: nothing is recorded. */
  readonly telemetry?: Telemetry;
  /** Absent: made of the shipped and the operator's templates. */
  readonly renderer?: Renderer | undefined;
  /** See `JobDeps.isOneShot`. */
  readonly isOneShot: boolean;
}

export function buildJobDeps(settings: Settings, parts: JobParts): JobDeps {
  const { session, platform, github, policies, log, isOneShot, telemetry = NO_TELEMETRY } = parts;
  return {
    db: session.store.db,
    queue: session.queue,
    clock: session.clock,
    laneSpacingMs: session.laneSpacingMs,
    log,
    telemetry,
    isOneShot,
    ownAppId: github.appId,
    github: (installationId) => github.installation(installationId),
    platform: platform.client,
    backgroundPlatform: platform.backgroundClient,
    platformPace: platform.pace,
    findByCommit: platform.findByCommit,
    githubPages: github.pages,
    ...(settings.publicUrl !== null && { policyPage: `${settings.publicUrl}${POLICY_REFERENCE}` }),
    ...(!isOneShot && buildPageAddresses(settings)),
    operator: buildOperatorRules(settings, listOwnUrls(settings)),
    renderer:
      parts.renderer ??
      createRenderer(loadTemplates(), {
        version: VERSION,
        operator: loadOperatorTemplates(settings.templatesDirectory, log),
      }),
    policies,
  };
}

interface IdTokenParts {
  readonly deps: JobDeps;
  readonly app: GitHubApp;
  readonly saveCommitPulls: JobTokenRouteDeps["saveCommitPulls"];
}

/**
 * Builds what the apply gate needs, and the exchange of id tokens. `exchange` null: the server has no public URL, no embedded platform, or
 * the operator accepts no id tokens.
 */
export function buildIdTokenDeps(
  { deps, app, saveCommitPulls }: IdTokenParts,
  { publicUrl, oidcIssuer: issuer, platform }: Pick<Settings, "publicUrl" | "oidcIssuer" | "platform">,
): { readonly applies: AppliesRouteDeps; readonly exchange: JobTokenRouteDeps | null } {
  const { db, clock, log, githubPages, operator } = deps;
  const shared = {
    ...{ db, clock, account: platform.account },
    readDefaultBranch: ({ owner_login: owner, name: repo, installation_id }: Repository) =>
      readDefaultBranch(app.installation(installation_id).octokit, { owner, repo }),
  };
  const rules = publicUrl === null || issuer === null ? null : { issuer, audience: getAudience(publicUrl) };
  const verify = rules && createIdTokenVerifier(rules, { clock, fetch });
  const applies: AppliesRouteDeps = {
    ...{ ...shared, publicUrl, verifyIdToken: verify },
    readMergedPull: async ({ repository_id: id, owner_login: owner, name, installation_id }, sha) => {
      const pulls = await readCommitPulls(app.installation(installation_id), { id, owner, name }, sha);
      const merged = pulls.find(({ mergeSha }) => mergeSha === sha);
      if (merged?.mergedMs == null) return null;
      return { ...merged, mergedMs: toEndOfSecond(merged.mergedMs) };
    },
    enqueue: (pull) => enqueueLane(deps, { kind: "pull", ...pull }),
  };
  if (rules === null || verify === null || platform.kind !== "embedded") return { applies, exchange: null };
  const exchange: JobTokenRouteDeps = {
    ...{ ...shared, verify, githubPages, issuer: rules.issuer, saveCommitPulls },
    listGrantedProjects: (ids) => selectGrants(operator, ids),
    readPullMerge: ({ repository_id: repositoryId, installation_id }, number, sha) =>
      readPullMerge(app.installation(installation_id), { repositoryId, number, sha }),
    onOutcome: (outcome, refusal) => log[chooseLevel(refusal)](outcome, "a CI job asked for a token"),
  };
  return { applies, exchange };
}

/** Anybody can send what is no id token of this issuer: that must not fill the log. */
function chooseLevel(refusal: RefusalError | null): "debug" | "info" | "warn" {
  if (refusal?.status === 401) return "debug";
  return refusal?.status === 503 ? "warn" : "info";
}
