import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { createOctokit, type OctokitSettings } from "../client/octokit.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { readPages, toResult } from "../client/to-result.ts";
import type { GitHubUser } from "./user-tokens.ts";

const User = z.object({ id: z.int().positive(), login: z.string().min(1).max(255) });
const Repository = z.object({ id: z.int().positive() });
const Installations = z
  .object({ installations: z.array(z.object({ id: z.int().positive() })) })
  .transform(({ installations }) => installations);
const Repositories = z
  .object({ repositories: z.array(Repository) })
  .transform(({ repositories }) => repositories);

/** 20,000 repositories of an installation. What is beyond is not listed; whether one of them can be read is still answered. */
const MAX_PAGES = 200;

const connect = (calls: OctokitSettings, accessToken: string): Octokit =>
  createOctokit(calls, { auth: accessToken });

/** Whose token it is. */
export const readUser = (calls: OctokitSettings, accessToken: string): Promise<GitHubResult<GitHubUser>> =>
  toResult(connect(calls, accessToken).rest.users.getAuthenticated(), User);

/** Whether a person can read a repository by its numeric id: what GitHub answers to the person's token. */
export async function canUserRead(
  calls: OctokitSettings,
  accessToken: string,
  repositoryId: number,
): Promise<GitHubResult<boolean>> {
  const call = connect(calls, accessToken).request("GET /repositories/{repository_id}", {
    repository_id: repositoryId,
  });
  const answer = await toResult(call, Repository);
  if (answer.ok) return succeeded(answer.value.id === repositoryId);
  // An organisation may demand a single sign-on that the token has not had: forbidden.
  const isDenied = ["not_found", "forbidden", "gone", "suspended", "moved"].includes(answer.failure.kind);
  return isDenied ? succeeded(false) : answer;
}

/** The ids of all repositories that the App is installed on and the person has access to. */
export async function listUserRepositories(
  calls: OctokitSettings,
  accessToken: string,
): Promise<GitHubResult<ReadonlySet<number>>> {
  const { rest } = connect(calls, accessToken);
  const installations = await readPages(
    (page) => rest.apps.listInstallationsForAuthenticatedUser(page),
    Installations,
    MAX_PAGES,
  );
  if (!installations.ok) return installations;
  const found = new Set<number>();
  for (const { id } of installations.value) {
    const listed = await readPages(
      (page) => rest.apps.listInstallationReposForAuthenticatedUser({ ...page, installation_id: id }),
      Repositories,
      MAX_PAGES,
    );
    if (!listed.ok && !["not_found", "forbidden"].includes(listed.failure.kind)) return listed;
    for (const repository of listed.ok ? listed.value : []) found.add(repository.id);
  }
  return succeeded(found);
}

const Members = z.array(z.object({ id: z.int().positive() }));

/** The numeric ids of a team's members, those of its child teams included, as the App's installation sees them. */
export async function listTeamMembers(
  octokit: Octokit,
  { organisation, team }: { readonly organisation: string; readonly team: string },
): Promise<GitHubResult<ReadonlySet<number>>> {
  const listed = await readPages(
    (page) => octokit.rest.teams.listMembersInOrg({ ...page, org: organisation, team_slug: team }),
    Members,
    MAX_PAGES,
  );
  return listed.ok ? succeeded(new Set(listed.value.map(({ id }) => id))) : listed;
}
