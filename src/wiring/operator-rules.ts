import type { OperatorRules } from "../jobs/operator.ts";
import type { Settings } from "../settings/settings.ts";

/** What the operator's settings say about reading and showing. `ownHosts`: where an embedded platform answers. */
export function operatorRules(settings: Settings, ownHosts: readonly string[]): OperatorRules {
  const { operator, platform, publicUrl } = settings;
  const platformHost = platform.kind === "remote" ? [new URL(platform.url).host] : ownHosts;
  const publicHost = publicUrl === null || platform.kind === "remote" ? [] : [new URL(publicUrl).host];
  return {
    account: platform.account,
    embedded: platform.kind === "embedded",
    grants: operator.grants,
    trustedUsers: new Set(operator.trusted_posters.users),
    trustedApps: new Set(operator.trusted_posters.apps),
    platformHosts: [...platformHost, ...publicHost, ...operator.platform_hosts],
    publicFigures: operator.public_figures,
    orgPolicy: settings.orgPolicy,
    alwaysCheck: settings.alwaysCheck,
  };
}
