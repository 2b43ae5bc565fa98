import type { OperatorRules, PlatformGrant } from "../../evaluate/run/operator-rules.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { compileGlob } from "../../kernel/glob.ts";
import { parseHost } from "../../kernel/host.ts";
import type { TargetRules } from "../../policy/notifications/pull-notices.ts";
import type { Grant, OperatorSettings } from "../../settings/operator.ts";
import type { Settings } from "../../settings/read.ts";

/** Converts the operator's settings to the rules for reading and showing. `listOwnUrls`: addresses of an embedded platform. */
export function buildOperatorRules(settings: Settings, ownUrls: readonly string[]): OperatorRules {
  const { operator, platform, publicUrl } = settings;
  const urls =
    platform.kind === "remote" ? [platform.url] : [...ownUrls, ...(publicUrl === null ? [] : [publicUrl])];
  const days = operator.after_merge.compare_after_days;
  return {
    account: platform.account,
    embedded: platform.kind === "embedded",
    grants: operator.grants.map(toGrant),
    otherPipelines: operator.other_pipelines.map(({ org, project, pipeline }) => {
      return { org, project, isMatch: compileGlob(pipeline) ?? (() => false) };
    }),
    trustedUsers: new Set(operator.trusted_posters.users),
    trustedApps: new Set(operator.trusted_posters.apps),
    platformHosts: [...urls.flatMap((url) => parseHost(url) ?? []), ...operator.platform_hosts],
    publicFigures: operator.public_figures,
    orgPolicy: (owner) => chooseOrgPolicy(settings, owner),
    alwaysCheck: settings.alwaysCheck,
    costCurrency: operator.cost_currency,
    fiscalYearStarts: operator.fiscal_year_starts,
    anomaliesPage: findAnomaliesPage(platform),
    passingStatuses: new Set(operator.passing_statuses),
    compareAfterMs: days === 0 ? null : days * DAY_MS,
    markRecommendations: operator.after_merge.mark_recommendations,
    markExpectedAnomalies: operator.after_merge.mark_expected_anomalies,
    targets: operator.notifications.targets.map(toTargetRules),
  };
}

/** The page that the platform serves beside its executions' pages. An embedded platform, and one in the neutral dialect, has none. */
const findAnomaliesPage = (platform: Settings["platform"]): string | null =>
  platform.kind === "embedded" || platform.dialect === "neutral"
    ? null
    : `${platform.url}/ng/account/${encodeURIComponent(platform.account)}/ce/anomaly-detection`;

/** Whether an owner's organisation policy is read. A renamed owner's is. */
export const chooseOrgPolicy = (
  { orgPolicy }: Pick<Settings, "orgPolicy">,
  owner: string,
): "read" | "none" =>
  typeof orgPolicy === "string" ? orgPolicy : orgPolicy.includes(owner.toLowerCase()) ? "none" : "read";

function toGrant({ owner, repository, org, project, ...contextGrant }: Grant): PlatformGrant {
  const unitMetrics = contextGrant.unit_metrics.map(({ metric, workspaces = null }) => ({
    metric,
    org,
    project,
    workspaces,
  }));
  const measuredPerspectives = contextGrant.perspectives.flatMap(({ id, workspaces }) =>
    workspaces === undefined ? [] : [{ perspective: id, org, project, workspaces }],
  );
  const { cloud_accounts: cloudAccounts, governed_clouds: clouds } = contextGrant;
  const perspectives = contextGrant.perspectives.map(({ id }) => id);
  const context = { perspectives, cloudAccounts, clouds, unitMetrics, measuredPerspectives };
  return { owner, repository, org, project, context };
}

const toTargetRules = ({
  name,
  digest,
  above,
  off_by: offBy,
  ...lists
}: OperatorSettings["notifications"]["targets"][number]): TargetRules => ({
  ...{ name, digest, offBy },
  above: above ?? null,
  on: new Set(lists.on),
  owners: new Set(lists.owners),
  repositories: new Set(lists.repositories),
  teams: new Set(lists.teams),
});
