import { type ApiAnswer, type ApiRoute, ok, type RepositoryCall } from "../api/call.ts";
import { formatFullCommit } from "../formatters/commit.ts";
import { getRepositoryApiUrl, getRepositoryUrl } from "../formatters/repository.ts";
import { readCommit } from "../git/objects.ts";
import { getObjects } from "../state/find.ts";
import { notFound } from "../state/refusal.ts";
import type { Protection } from "../state/repositories.ts";
import { createRepositoryRoute } from "./repository-route.ts";

/** Branches with their protection, and the rules of rulesets on them. */
export const branchRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /branches/{branch}", ["contents:read"], (call) => answerBranch(call)),
  createRepositoryRoute("GET /rules/branches/{branch}", ["metadata:read"], (call) => ok(listRules(call))),
];

const findProtection = ({ world, repository, path }: RepositoryCall): Protection | null =>
  world.protections.find((row) => row.repositoryId === repository.id && row.branch === path["branch"]);

function listRules(call: RepositoryCall): readonly object[] {
  const { world, repository } = call;
  const protection = findProtection(call);
  if (protection?.kind !== "ruleset") return [];
  const { login } = world.accounts.require(repository.ownerId);
  const source = {
    ruleset_source_type: "Repository",
    ruleset_source: `${login}/${repository.name}`,
    ruleset_id: protection.id,
  };
  const parameters = {
    required_status_checks: protection.requiredChecks.map(({ context, appId }) =>
      appId === null ? { context } : { context, integration_id: appId },
    ),
    strict_required_status_checks_policy: false,
  };
  return [
    ...(protection.requiredChecks.length > 0
      ? [{ type: "required_status_checks", parameters, ...source }]
      : []),
    ...(protection.restrictsCreation ? [{ type: "creation", ...source }] : []),
  ];
}

function answerBranch(call: RepositoryCall): ApiAnswer {
  const name = call.path["branch"] ?? "";
  const sha = call.repository.branches.get(name);
  const commit = sha === undefined ? null : readCommit(getObjects(call.world, call.repository), sha);
  if (commit === null) throw notFound();
  const protection = findProtection(call);
  const required = protection?.kind === "protection" ? protection.requiredChecks : [];
  const self = `${getRepositoryApiUrl(call.world, call.repository)}/branches/${name}`;
  const html = `${getRepositoryUrl(call.world, call.repository)}/tree/${name}`;
  return ok({
    name,
    commit: formatFullCommit(call.world, call.repository, commit),
    _links: { self, html },
    protected: protection !== null,
    protection: {
      enabled: required.length > 0,
      required_status_checks: {
        enforcement_level: required.length > 0 ? "everyone" : "off",
        contexts: required.map((check) => check.context),
        checks: required.map((check) => ({ context: check.context, app_id: check.appId })),
      },
    },
    protection_url: `${self}/protection`,
  });
}
