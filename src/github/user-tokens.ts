import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { createOctokit, type OctokitSettings } from "./client/octokit.ts";
import { readData, readPages, readUnless, toResult } from "./client/read-answer.ts";
import { failed, type GitHubResult, succeeded } from "./client/result.ts";

export interface UserAuthorizationApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly calls: OctokitSettings;
  /** Root of the pages that people read on the same GitHub, without a slash at the end. */
  readonly pagesUrl: string;
}

/** GitHub's tokens of a person for the App. Times in ms since 1970 by the clock of the call; null: no end, or no refresh token. */
interface UserTokens {
  readonly accessToken: string;
  readonly expiresMs: number | null;
  readonly refreshToken: string | null;
}

/** GitHub answers 200 to refusals too. */
const TokenAnswer = z.union([
  z.object({ error: z.string().max(200) }),
  z.object({
    access_token: z.string().min(1).max(4096),
    expires_in: z.number().positive().optional(),
    refresh_token: z.string().min(1).max(4096).optional(),
  }),
]);

/** GitHub's codes have 20 characters; what a browser brings may be anything. */
const CODE = /^[A-Za-z0-9_-]{1,200}$/;

const User = z.object({ id: z.int().positive(), login: z.string().min(1).max(255) });
const Authorization = z.object({ app: z.object({ client_id: z.string() }), user: User });
const Repository = z.object({ id: z.int().positive() });

/** Any token shows whether GitHub accepts the credentials with which it is asked. */
export const NO_TOKEN = `ghu_${"0".repeat(36)}`;

/** What people authorize the App for, and what GitHub answers to their tokens. Every failure of GitHub is a result. */
export function createUserTokens({ clientId, clientSecret, calls, pagesUrl }: UserAuthorizationApp) {
  /**
   * `@octokit/oauth-methods` sends neither a code verifier nor requests through our guarded connection, so the request is made here
   * (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app).
   */
  async function requestTokens(
    parameters: Readonly<Record<string, string>>,
  ): Promise<GitHubResult<UserTokens>> {
    const octokit = createOctokit({ ...calls, apiUrl: pagesUrl }); // one per call: people must not wait for each other
    const call = octokit.request("POST /login/oauth/access_token", {
      headers: { accept: "application/json" },
      client_id: clientId,
      client_secret: clientSecret,
      ...parameters,
    });
    const answer = await toResult(readData(call, TokenAnswer));
    if (!answer.ok) return answer;
    if ("error" in answer.value) return failed("rejected", answer.value.error);
    const { access_token: accessToken, expires_in, refresh_token } = answer.value;
    const expiresMs = expires_in === undefined ? null : calls.clock.now() + expires_in * 1_000;
    return succeeded({ accessToken, expiresMs, refreshToken: refresh_token ?? null });
  }
  const callAsClient = (
    route: "POST /applications/{client_id}/token" | "DELETE /applications/{client_id}/token",
    accessToken: string,
  ) =>
    createOctokit(calls).request(route, {
      headers: { authorization: `basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      client_id: clientId,
      access_token: accessToken,
    });
  const connect = (accessToken: string): Octokit => createOctokit(calls, { auth: accessToken });
  return {
    /** The page on which a person authorizes the App. `challenge`: SHA-256 of the verifier in base64url (RFC 7636). */
    buildAuthorizeUrl: (request: {
      readonly state: string;
      readonly challenge: string;
      readonly redirectUri: string;
    }): string => {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: request.redirectUri,
        state: request.state,
        code_challenge: request.challenge,
        code_challenge_method: "S256",
      });
      return `${pagesUrl}/login/oauth/authorize?${query}`;
    },
    /** Exchanges the code of an authorization, which works once, for ten minutes, and with the verifier only. Fails with `rejected` otherwise. */
    exchangeCode: async (request: {
      readonly code: string;
      readonly verifier: string;
      readonly redirectUri: string;
    }) => {
      const { code, verifier, redirectUri } = request;
      if (!CODE.test(code)) return failed("rejected", "this is no code of an authorization");
      return requestTokens({ code, redirect_uri: redirectUri, code_verifier: verifier });
    },
    /** Exchanges a refresh token, which works once. Fails with `rejected` when GitHub does not accept it. */
    renewTokens: (refreshToken: string) =>
      requestTokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
    /** Whose token of this App it is; null: it is not one, or has ended. */
    checkToken: async (accessToken: string) => {
      const call = callAsClient("POST /applications/{client_id}/token", accessToken);
      const answer = await toResult(readData(call, Authorization));
      if (answer.ok) return succeeded(answer.value.app.client_id === clientId ? answer.value.user : null);
      return ["not_found", "rejected"].includes(answer.failure.kind) ? succeeded(null) : answer;
    },
    /** Ends a token. A token that has ended already is no failure. */
    revokeToken: async (accessToken: string) => {
      const call = callAsClient("DELETE /applications/{client_id}/token", accessToken);
      const answer = await toResult(readData(call, z.unknown()));
      return answer.ok || answer.failure.kind === "not_found" ? succeeded(null) : answer;
    },
    /** Whose token it is. */
    readUser: (accessToken: string) =>
      toResult(readData(connect(accessToken).rest.users.getAuthenticated(), User)),
    /** Whether a person can read a repository by its numeric id: what GitHub answers to the person's token. */
    canRead: async (accessToken: string, repositoryId: number) => {
      const call = connect(accessToken).request("GET /repositories/{repository_id}", {
        repository_id: repositoryId,
      });
      const answer = await toResult(readData(call, Repository));
      if (answer.ok) return succeeded(answer.value.id === repositoryId);
      // An organisation may demand a single sign-on that the token has not had: forbidden.
      const isDenied = ["not_found", "forbidden", "gone", "suspended", "moved"].includes(answer.failure.kind);
      return isDenied ? succeeded(false) : answer;
    },
    /** The ids of all repositories that the App is installed on and the person has access to. */
    listReadable: (accessToken: string) => toResult(readUserRepositories(connect(accessToken))),
  };
}

const Installations = z
  .object({ installations: z.array(z.object({ id: z.int().positive() })) })
  .transform(({ installations }) => installations);
const Repositories = z
  .object({ repositories: z.array(Repository) })
  .transform(({ repositories }) => repositories);

/** 20,000 repositories of an installation. What is beyond is not listed; whether one of them can be read is still answered. */
const MAX_PAGES = 200;

async function readUserRepositories({ rest }: Octokit): Promise<ReadonlySet<number>> {
  const installations = await readPages(
    (page) => rest.apps.listInstallationsForAuthenticatedUser(page),
    Installations,
    MAX_PAGES,
  );
  const found = new Set<number>();
  for (const { id } of installations) {
    const listed = readPages(
      (page) => rest.apps.listInstallationReposForAuthenticatedUser({ ...page, installation_id: id }),
      Repositories,
      MAX_PAGES,
    );
    for (const repository of (await readUnless(["not_found", "forbidden"], listed)) ?? [])
      found.add(repository.id);
  }
  return found;
}

const Members = z.array(z.object({ id: z.int().positive() }));

/** The numeric ids of a team's members, those of its child teams included, as the App's installation sees them. Throws `GitHubError`. */
export async function listTeamMembers(
  octokit: Octokit,
  { organisation, team }: { readonly organisation: string; readonly team: string },
): Promise<ReadonlySet<number>> {
  const listed = await readPages(
    (page) => octokit.rest.teams.listMembersInOrg({ ...page, org: organisation, team_slug: team }),
    Members,
    MAX_PAGES,
  );
  return new Set(listed.map(({ id }) => id));
}
