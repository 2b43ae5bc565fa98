import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { computePlanDigests, type PlanDigests, parsePlanDigests } from "../../evaluate/plan-digests.ts";
import { readNamedRuns } from "../../github/checks/named-runs.ts";
import { resolveGitHubApiUrl } from "../../github/client/guarded-fetch.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { createOctokit } from "../../github/client/octokit.ts";
import { readData, toResult } from "../../github/client/read-answer.ts";
import { readCommitPulls } from "../../github/head/commit-pulls.ts";
import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Sha } from "../../kernel/ids.ts";
import { formatCheckName } from "../../policy/decide-check.ts";
import type { ApplyDoubt, ApplyResult, WorkspacePlan } from "../../policy/model/apply.ts";
import type { VerifiedPlan } from "../../render/apply-result.ts";
import type { CiSettings } from "../../settings/ci.ts";
import { openGitHubPool } from "../github.ts";

/** The commit that is applied, and which check of its pull request counts. */
export interface AppliedCommit {
  readonly owner: string;
  readonly name: string;
  readonly sha: Sha;
  /** The base branch that is applied; null: any. */
  readonly base: string | null;
  /** Slug of the App that wrote the check; null: there is only one. */
  readonly app: string | null;
  /** Null: it is called like its base branch. */
  readonly checkName: string | null;
}

/**
 * Compares plans with the digests that the check of the commit's pull request states: without a server, only equality can be shown.
 *
 * @throws TollgateError `usage` without a token, `github_failed`
 */
export async function compareWithCheck(
  { settings, apiUrl, token }: CiSettings,
  commit: AppliedCommit,
  plans: readonly WorkspacePlan[],
): Promise<readonly VerifiedPlan[]> {
  if (token === null)
    throw new TollgateError("usage", "there is neither a server nor a token for GitHub", {
      hint: "Set TOLLGATE_URL to the address of a Tollgate, or GITHUB_TOKEN to a token that may read checks and pull requests.",
    });
  const pool = openGitHubPool();
  const octokit = createOctokit(
    {
      ...{ apiUrl: apiUrl ?? resolveGitHubApiUrl(settings.githubUrl), fetch: pool.fetch },
      ...{ clock: systemClock, wait: (ms: number) => sleep(ms), writeSpacingMs: 0 },
    },
    { auth: token },
  );
  const read = await toResult(findCheck({ octokit }, commit)).finally(pool.close);
  if (!read.ok)
    throw new TollgateError(
      "github_failed",
      `GitHub did not show the check of ${commit.sha}: ${read.failure.kind}, ${read.failure.message}`,
      {
        hint: "Check --repository and --sha, and that the token may read: `checks: read`, `pull-requests: read`.",
      },
    );
  const check = read.value;
  return plans.map((plan) => ({
    ...{ workspace: plan.workspace, pulls: check.pulls, uncounted: [], unchecked: [], page: null },
    result: "doubt" in check ? createDoubt(check.doubt) : comparePlan(plan, check.digests),
  }));
}

type Check =
  | { readonly pulls: readonly number[]; readonly doubt: ApplyDoubt }
  | { readonly pulls: readonly number[]; readonly digests: readonly PlanDigests[] };

/** Finds the passed checks of the pull requests that the commit merges, or whose head it is. Throws `GitHubError`. */
async function findCheck(client: Pick<InstallationClient, "octokit">, commit: AppliedCommit): Promise<Check> {
  const { owner, name: repo, sha, base } = commit;
  const { id } = await readData(client.octokit.rest.repos.get({ owner, repo }), z.object({ id: z.int() }));
  const listed = await readCommitPulls(client, { id, owner, name: repo }, sha);
  // Stacked pull requests are merged by one commit.
  const found = listed.filter(({ open, headSha, mergeSha }) => (open ? headSha : mergeSha) === sha);
  const pulls = found.map(({ number }) => number);
  if (found.length === 0) return { pulls, doubt: "no_evaluation" };
  if (found.some(({ baseRef }) => base !== null && baseRef !== base)) return { pulls, doubt: "other_base" };
  const digests: PlanDigests[] = [];
  for (const pull of found) {
    const name = commit.checkName ?? formatCheckName(pull.baseRef);
    const all = await readNamedRuns(client, commit, { sha: pull.headSha, name });
    const [run, ...older] = all.filter(({ app }) => commit.app === null || app === commit.app);
    if (run === undefined) return { pulls, doubt: "no_evaluation" };
    if (older.some(({ app }) => app !== run.app)) return { pulls, doubt: "several_checks" };
    if (!run.isPassed) return { pulls, doubt: pull.open ? "not_passed" : "unchecked_merge" };
    digests.push(...(parsePlanDigests(run.text) ?? []));
  }
  return { pulls, digests };
}

/** Compares the amounts, too, where the check states them and the plan has them. */
function comparePlan(plan: WorkspacePlan, evaluated: readonly PlanDigests[]): ApplyResult {
  const own = evaluated.filter(({ workspace }) => workspace === plan.workspace);
  const found = computePlanDigests(plan);
  if (found === null) return createDoubt("incomplete_plan");
  if (own.length === 0) return createDoubt("no_digest");
  const isEstimated = plan.cost.state !== "not_estimated";
  if (isEstimated && found.amounts === null) return createDoubt("cost_unknown");
  const isEqual = ({ actions, amounts }: PlanDigests): boolean =>
    actions === found.actions && (found.amounts === null || amounts === null || amounts === found.amounts);
  const equal = own.find(isEqual);
  if (equal === undefined) return createDoubt("digest_differs");
  if (!isEstimated) return { kind: "within", cost: "not_estimated" };
  return { kind: "within", cost: equal.amounts === null ? "hidden" : "compared" };
}

const createDoubt = (doubt: ApplyDoubt): ApplyResult => ({ kind: "undecided", because: [doubt] });
