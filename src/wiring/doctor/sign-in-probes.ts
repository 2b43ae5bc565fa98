import { resolveGitHubPagesUrl } from "../../github/client/guarded-fetch.ts";
import { checkUserToken } from "../../github/user-tokens.ts";
import { isSignInAddress } from "../pages/pages-address.ts";
import type { DoctorContext, DoctorGitHub } from "./context.ts";
import { withAnswer, withApp } from "./github-probes.ts";
import { explainGitHubFailure, fail, ok, type Probe, type ProbeResult, warn } from "./probe.ts";

export const signInProbes: readonly Probe[] = [
  {
    id: "sign_in",
    area: "GitHub",
    title: "sign-in",
    examine: (context) =>
      withApp(context, async (github) => findMissing(context) ?? examineCredentials(github, context)),
  },
];

const ENABLE = "docs/operations/security.md says how to enable sign-in.";

/** Sign-in is not needed for checks and comments, so that what is missing is a warning. */
function findMissing({ inspected: { settings } }: DoctorContext): ProbeResult | null {
  const { signIn, publicUrl } = settings;
  if (signIn === undefined)
    return warn("nobody can sign in: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are not set", ENABLE);
  if (publicUrl === null)
    return warn("nobody can sign in: GitHub leads people back to PUBLIC_URL, which is not set", ENABLE);
  if (!isSignInAddress(publicUrl))
    return warn(
      `nobody can sign in at ${publicUrl}: the cookie would cross the network in clear`,
      "Put a proxy with TLS before Tollgate, and set PUBLIC_URL to its https:// address.",
    );
  return null;
}

/** Any token shows whether GitHub accepts the credentials with which it is asked. */
const NO_TOKEN = `ghu_${"0".repeat(36)}`;

async function examineCredentials(
  github: DoctorGitHub,
  { inspected: { settings } }: DoctorContext,
): Promise<ProbeResult> {
  const { signIn, publicUrl, githubUrl } = settings;
  if (signIn === undefined || publicUrl === null) return warn("nobody can sign in", ENABLE);
  return withAnswer("the App", await github.app(), async ({ client_id, html_url }) => {
    if (client_id !== undefined && client_id !== signIn.clientId)
      return fail(
        `GITHUB_CLIENT_ID is ${signIn.clientId}, and the App's is ${client_id}`,
        `Take both values from the App's settings page (${html_url}).`,
      );
    const app = { ...signIn, calls: github.calls, pagesUrl: resolveGitHubPagesUrl(githubUrl) };
    const checked = await checkUserToken(app, NO_TOKEN);
    if (checked.ok)
      return ok(`at ${publicUrl}/sign-in; GitHub must know ${publicUrl}/sign-in/callback as callback URL`);
    if (checked.failure.kind === "unauthorised")
      return fail(
        "GitHub rejects GITHUB_CLIENT_SECRET",
        `Generate a new client secret on the App's settings page (${html_url}), and set it.`,
      );
    return { state: "failed", problems: [explainGitHubFailure("the client secret", checked.failure)] };
  });
}
