import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { resolveGitHubPagesUrl } from "../github/client/guarded-fetch.ts";
import { toResult } from "../github/client/read-answer.ts";
import { failed } from "../github/client/result.ts";
import { createUserTokens, listTeamMembers } from "../github/user-tokens.ts";
import type { Settings, SignInCredentials } from "../settings/read.ts";
import { findOwnerInstallation } from "../store/installations.ts";
import { createSeal } from "../store/seal.ts";
import { createAdminCheck, createRights } from "../web/sign-in/find-reader.ts";
import { nameCookies } from "../web/sign-in/guard.ts";
import type { SignInDeps } from "../web/sign-in/routes.ts";
import { createSessions, type GitHubUsers } from "../web/sign-in/sessions.ts";
import type { ConnectedGitHub } from "./github.ts";
import { isSignInAddress } from "./pages/pages-address.ts";
import type { StoreSession } from "./process/store-session.ts";

export interface SignInParts {
  readonly session: StoreSession;
  readonly github: ConnectedGitHub;
  readonly log: Logger;
}

/** Builds what people sign in with; null: the settings lack what it needs. */
export function connectPeople(settings: Settings, parts: SignInParts): SignInDeps["people"] {
  const { signIn, publicUrl, encryptionKey, operator } = settings;
  if (signIn === undefined || publicUrl === null || !isSignInAddress(publicUrl)) return null;
  const { session, log } = parts;
  const { clock } = session;
  const { db } = session.store;
  const users = connectUsers(settings, signIn, parts);
  const secret = encryptionKey ?? signIn.clientSecret;
  const random = (bytes: number) => randomBytes(bytes).toString("base64url");
  const seal = createSeal(secret, "session cookies");
  const cookies = nameCookies(publicUrl);
  return {
    users,
    sessions: createSessions({ db, clock, users, random, wait: (ms) => sleep(ms), seal, log }),
    rights: createRights(clock, users),
    isAdmin: createAdminCheck(operator.admins, { clock, users, log }),
    cookie: cookies.session,
    cookies,
    seal: createSeal(secret, "begun sign-ins"),
    random,
    publicUrl,
  };
}

function connectUsers(
  { githubUrl }: Settings,
  credentials: SignInCredentials,
  { session, github }: SignInParts,
): GitHubUsers {
  const { calls, app } = github;
  return {
    ...createUserTokens({ ...credentials, calls, pagesUrl: resolveGitHubPagesUrl(githubUrl) }),
    listTeamMembers: async (organisationId, team) => {
      const installation = await findOwnerInstallation(session.store.db, organisationId);
      if (installation === undefined)
        return failed("not_found", `the App is not installed on organisation ${organisationId}`);
      const { octokit } = app.installation(installation.id);
      return toResult(listTeamMembers(octokit, { organisation: installation.login, team }));
    },
  };
}
