import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { readData, readUnless, toResult } from "../client/read-answer.ts";
import { GitHubError, type GitHubResult } from "../client/result.ts";

/** A person's permission now. `denied`: less than write access. `unknown`: GitHub did not answer, so nothing is approved. */
export type RepositoryPermission = "write" | "maintain" | "admin" | "denied" | "unknown";

interface PersonQuery {
  readonly owner: string;
  readonly name: string;
  readonly person: { readonly id: number; readonly login: string };
}

const Permission = z.object({
  permission: z.string(),
  role_name: z.string().optional(),
  user: z.object({ id: z.int() }).nullable(),
});

/**
 * A person's permission now. A login may belong to another account since: the answer must be about the same id. A missing account has no
 * permission.
 *
 * @throws GitHubError while GitHub asks us to wait
 */
export async function readRights(client: InstallationClient, at: PersonQuery): Promise<RepositoryPermission> {
  const answer = await readNow(readPermission(client, { ...at, login: at.person.login }));
  if (!answer.ok) return answer.failure.kind === "not_found" ? "denied" : "unknown";
  const { permission, role_name: role, user } = answer.value;
  if (user?.id !== at.person.id) return "denied";
  if (permission === "admin") return "admin";
  if (permission !== "write") return "denied";
  return role === "maintain" ? "maintain" : "write";
}

/** What a call came to. Throws `GitHubError` only while GitHub asks us to wait. */
async function readNow<T>(read: Promise<T>): Promise<GitHubResult<T>> {
  const answer = await toResult(read);
  if (!answer.ok && answer.failure.kind === "rate_limited") throw new GitHubError(answer.failure);
  return answer;
}

/** The id of the account that has a login now, if it may write to the repository; null: it may not, or there is none. Throws `GitHubError`. */
export async function findWriter(
  client: Pick<InstallationClient, "octokit">,
  at: { readonly owner: string; readonly name: string; readonly login: string },
): Promise<number | null> {
  const answer = await readUnless(["not_found"], readPermission(client, at));
  return answer !== null && ["admin", "write"].includes(answer.permission) ? (answer.user?.id ?? null) : null;
}

const readPermission = (
  { octokit }: Pick<InstallationClient, "octokit">,
  at: { readonly owner: string; readonly name: string; readonly login: string },
) =>
  readData(
    octokit.rest.repos.getCollaboratorPermissionLevel({
      owner: at.owner,
      repo: at.name,
      username: at.login,
    }),
    Permission,
  );

const Membership = z.object({ state: z.string() });

export interface TeamMemberships {
  /** Those that the person is an active member of now, by slug. */
  readonly active: ReadonlySet<string>;
  /** Those of which GitHub does not show the members. */
  readonly unknown: ReadonlySet<string>;
}

/** Which of these teams of the owner the person is in. Throws `GitHubError` while GitHub asks us to wait. */
export async function readTeams(
  { octokit }: InstallationClient,
  at: PersonQuery & { readonly teams: readonly string[] },
): Promise<TeamMemberships> {
  const active = new Set<string>();
  const unknown = new Set<string>();
  const reads = at.teams.map(async (team_slug) => {
    const team = { org: at.owner, team_slug, username: at.person.login };
    const call = octokit.rest.teams.getMembershipForUserInOrg(team);
    const answer = await readNow(readData(call, Membership));
    if (answer.ok && answer.value.state === "active") active.add(team_slug);
    if (!answer.ok && answer.failure.kind !== "not_found") unknown.add(team_slug);
  });
  await Promise.all(reads);
  return { active, unknown };
}

/** The first of these teams that the owner does not have, as `owner/slug`; null: it has all of them, or GitHub does not say. */
export async function findMissingTeam(
  { octokit }: Pick<InstallationClient, "octokit">,
  { owner, teams }: { readonly owner: string; readonly teams: readonly string[] },
): Promise<string | null> {
  const calls = teams.map((team_slug) => toResult(octokit.rest.teams.getByName({ org: owner, team_slug })));
  const read = await Promise.all(calls);
  const at = read.findIndex((answer) => !answer.ok && answer.failure.kind === "not_found");
  return at === -1 ? null : `${owner}/${teams[at]}`;
}
