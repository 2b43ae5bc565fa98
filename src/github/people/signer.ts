import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";

/** What a person may do in a repository now, as far as signing goes. */
export type Rights =
  | { readonly state: "known"; readonly permission: "write" | "maintain" | "admin" }
  /** Less than write access, or GitHub did not say: both sign nothing. */
  | { readonly state: "denied" }
  /** GitHub asks us to wait: nothing was decided. */
  | { readonly state: "later" };

interface PersonAt {
  readonly owner: string;
  readonly name: string;
  readonly person: { readonly id: number; readonly login: string };
}

const Permission = z.object({
  permission: z.string(),
  role_name: z.string().optional(),
  user: z.object({ id: z.int() }).nullable(),
});

/** A person's permission, asked now. A login may have got another owner since: the answer must be about the same id. */
export async function readRights(client: InstallationClient, at: PersonAt): Promise<Rights> {
  const answer = await client.read({
    route: "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    parameters: { owner: at.owner, repo: at.name, username: at.person.login },
    answer: Permission,
  });
  if (!answer.ok) return answer.failure.kind === "rate_limited" ? { state: "later" } : { state: "denied" };
  const { permission, role_name: role, user } = answer.value;
  if (user?.id !== at.person.id) return { state: "denied" };
  if (permission === "admin") return { state: "known", permission: "admin" };
  if (permission !== "write") return { state: "denied" };
  return { state: "known", permission: role === "maintain" ? "maintain" : "write" };
}

const Membership = z.object({ state: z.string() });

/** Of these teams of the owner, those that the person is an active member of now, by slug. Null: GitHub asks us to wait. */
export async function readTeams(
  client: InstallationClient,
  at: PersonAt & { readonly teams: readonly string[] },
): Promise<ReadonlySet<string> | null> {
  const answers = await Promise.all(
    at.teams.map(async (slug) => {
      const answer = await client.read({
        route: "GET /orgs/{org}/teams/{team_slug}/memberships/{username}",
        parameters: { org: at.owner, team_slug: slug, username: at.person.login },
        answer: Membership,
      });
      if (!answer.ok) return answer.failure.kind === "rate_limited" ? null : [];
      return answer.value.state === "active" ? [slug] : [];
    }),
  );
  return answers.includes(null) ? null : new Set(answers.flatMap((slugs) => slugs ?? []));
}
