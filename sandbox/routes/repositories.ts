import { isCovered } from "../api/authorise.ts";
import { parseId } from "../api/body.ts";
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRoute,
  type InstallationCaller,
  noContent,
  ok,
  type RepositoryCall,
} from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatAccountById, formatProfile, formatTeam } from "../formatters/account.ts";
import { formatOwnApp } from "../formatters/app.ts";
import { formatFullRepository, formatRepository } from "../formatters/repository.ts";
import type { Permission, Team } from "../state/accounts.ts";
import { findAccount, getPermission } from "../state/find.ts";
import { notFound } from "../state/refusal.ts";
import { createRepositoryRoute } from "./repository-route.ts";

type InstallationCall = ApiCall & { readonly caller: InstallationCaller };

/** Repositories, their people, and an installation's repositories. */
export const repositoryRoutes: readonly ApiRoute[] = [
  {
    ...createRepositoryRoute("GET ", ["metadata:read"], (call) =>
      ok(formatFullRepository(call.world, call.repository)),
    ),
    answerUser: (call) => ok(formatFullRepository(call.world, call.repository)),
  },
  createRepositoryRoute("GET /collaborators/{username}/permission", ["metadata:read"], (call) =>
    answerPermission(call),
  ),
  {
    kind: "installation",
    method: "GET",
    path: "/installation/repositories",
    needs: ["metadata:read"],
    answer: (call) => {
      const all = call.world.repositories.filter((row) => isCovered(call.caller, row));
      const selection = call.caller.installation.repositories === "all" ? "all" : "selected";
      return buildPage(call, all, (page) => ({
        total_count: all.length,
        repository_selection: selection,
        repositories: page.map((row) => formatRepository(call.world, row)),
      }));
    },
  },
  {
    kind: "installation",
    method: "DELETE",
    path: "/installation/token",
    needs: [],
    answer: (call) => {
      for (const [text, token] of call.world.tokens) {
        if (token.installationId === call.caller.installation.id) call.world.tokens.delete(text);
      }
      return noContent;
    },
  },
  {
    kind: "installation",
    method: "GET",
    path: "/users/{username}",
    needs: [],
    answer: (call) => {
      const account = findAccount(call.world, call.path["username"] ?? "");
      if (account === null) throw notFound();
      return ok(formatProfile(call.world, account));
    },
  },
  {
    kind: "installation",
    method: "GET",
    path: "/apps/{app_slug}",
    needs: [],
    answer: (call) => {
      const app = call.world.apps.find((row) => row.slug === call.path["app_slug"]);
      if (app === null) throw notFound();
      return ok(formatOwnApp(call.world, app));
    },
  },
  {
    kind: "installation",
    method: "GET",
    path: "/user/{account_id}",
    needs: [],
    answer: (call) => {
      const account = call.world.accounts.get(parseId(call, "account_id"));
      if (account === null || account.deleted) throw notFound();
      return ok(formatProfile(call.world, account));
    },
  },
  {
    kind: "installation",
    method: "GET",
    path: "/orgs/{org}/teams/{team_slug}",
    needs: ["members:read"],
    answer: (call) => ok(formatTeam(call.world, resolveTeam(call))),
  },
  {
    kind: "installation",
    method: "GET",
    path: "/orgs/{org}/teams/{team_slug}/members",
    needs: ["members:read"],
    answer: (call) =>
      buildPage(call, resolveTeam(call).memberIds, (page) =>
        page.map((id) => formatAccountById(call.world, id)),
      ),
  },
  {
    kind: "installation",
    method: "GET",
    path: "/orgs/{org}/teams/{team_slug}/memberships/{username}",
    needs: ["members:read"],
    answer: (call) => {
      const team = resolveTeam(call);
      const user = findAccount(call.world, call.path["username"] ?? "");
      if (user === null || !team.memberIds.includes(user.id)) throw notFound();
      const api = `${call.world.origin()}/organizations/${team.organisationId}/team/${team.id}`;
      return ok({ url: `${api}/memberships/${user.login}`, role: "member", state: "active" });
    },
  },
];

function resolveTeam(call: InstallationCall): Team {
  const organisation = findAccount(call.world, call.path["org"] ?? "");
  const team = call.world.teams.find(
    (row) => row.organisationId === organisation?.id && row.slug === call.path["team_slug"],
  );
  if (team === null || call.caller.installation.ownerId !== team.organisationId) throw notFound();
  return team;
}

/** GitHub's legacy permission names lack "triage" and "maintain". */
const LEGACY_PERMISSIONS: Readonly<Record<Permission, string>> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

function answerPermission(call: RepositoryCall): ApiAnswer {
  const user = findAccount(call.world, call.path["username"] ?? "");
  if (user === null) throw notFound();
  const role = getPermission(call.world, call.repository, user.id);
  const pull = role !== "none";
  const push = role === "write" || role === "maintain" || role === "admin";
  const permissions = {
    pull,
    triage: push || role === "triage",
    push,
    maintain: role === "maintain" || role === "admin",
    admin: role === "admin",
  };
  const account = { ...formatAccountById(call.world, user.id), permissions, role_name: role };
  return ok({ permission: LEGACY_PERMISSIONS[role], role_name: role, user: account });
}
