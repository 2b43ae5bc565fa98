import { resolveGitHubPagesUrl } from "../../github/client/guarded-fetch.ts";
import {
  listRecentDeliveries,
  type RecordedDelivery,
  readWebhookConfig,
  type WebhookConfig,
} from "../../github/inspection/read-app.ts";
import { checkUserToken } from "../../github/user-tokens.ts";
import { isSignInAddress } from "../pages/pages-address.ts";
import { withAnswer, withApp } from "./github-probes.ts";
import {
  type DoctorContext,
  type DoctorGitHub,
  explainGitHubFailure,
  fail,
  ok,
  type Probe,
  type ProbeProblem,
  type ProbeResult,
  toResultOf,
  warn,
} from "./probe.ts";

export const webhookProbes: readonly Probe[] = [
  { id: "webhook", area: "GitHub", title: "webhook", examine: withApp(examineWebhook) },
  { id: "webhook_deliveries", area: "GitHub", title: "deliveries", examine: withApp(examineDeliveries) },
];

const WEBHOOK_PATH = "/api/github/webhooks";

async function examineWebhook({ octokit }: DoctorGitHub, { inspected }: DoctorContext): Promise<ProbeResult> {
  const { publicUrl } = inspected.settings;
  return withAnswer("the webhook", readWebhookConfig(octokit), (config) =>
    toResultOf(findWebhookProblems(config, publicUrl), config.url),
  );
}

function findWebhookProblems(
  { url, isJson, verifiesCertificate }: WebhookConfig,
  publicUrl: string | null,
): readonly ProbeProblem[] {
  const expected = publicUrl === null ? null : `${publicUrl}${WEBHOOK_PATH}`;
  const set = `Set the webhook URL on the App's settings page to ${expected ?? `the public address with ${WEBHOOK_PATH}`}.`;
  if (url === "") return [{ found: "the App has no webhook URL, so GitHub delivers nothing", fix: set }];
  const isElsewhere = expected === null ? !url.endsWith(WEBHOOK_PATH) : url !== expected;
  return [
    ...(isElsewhere
      ? [{ found: `GitHub delivers to ${url}${expected === null ? "" : `, not to ${expected}`}`, fix: set }]
      : []),
    ...(isJson
      ? []
      : [
          {
            found: "the webhook's content type is not application/json",
            fix: "Choose it on the App's settings page.",
          },
        ]),
    ...(verifiesCertificate
      ? []
      : [
          {
            found: "GitHub does not verify the certificate of the webhook's address",
            fix: "Enable SSL verification on the App's settings page.",
          },
        ]),
  ];
}

async function examineDeliveries({ octokit }: DoctorGitHub): Promise<ProbeResult> {
  return withAnswer("the deliveries", listRecentDeliveries(octokit), (deliveries) => {
    const [newest] = deliveries;
    if (newest === undefined)
      return warn(
        "GitHub has no recent delivery",
        "Open or update a pull request, and run the command again.",
      );
    const lost = deliveries.filter(({ status_code: status }) => !isAccepted(status));
    const [last] = lost;
    const accepted = `${deliveries.length - lost.length} of the last ${deliveries.length} accepted`;
    if (last === undefined) return ok(`${accepted}; newest ${newest.delivered_at}`);
    const found = `${accepted}; the last lost one: ${describe(last)}`;
    return isAccepted(newest.status_code)
      ? warn(
          found,
          "Tollgate reads the current state by itself. Redeliver lost ones on the App's settings page if you like.",
        )
      : fail(found, explainStatus(last.status_code));
  });
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

const describe = ({ event, action, status_code: status, delivered_at }: RecordedDelivery): string =>
  `${event}${action ? `.${action}` : ""} at ${delivered_at}, ${status === 0 ? "no answer" : `answered with ${status}`}`;

function explainStatus(status: number): string {
  if (status === 400)
    return "WEBHOOK_SECRET differs from the secret on the App's settings page. Set both to the same random text.";
  if (status === 404 || status === 405)
    return `Something else answers there. The webhook URL must end with ${WEBHOOK_PATH}, and a proxy must forward that path.`;
  if (status === 503) return "Tollgate could not store the delivery. Its log says why.";
  if (status >= 500) return "A proxy before Tollgate, or Tollgate, fails. Read the log of both.";
  if (status === 0)
    return "Check that the address can be reached from GitHub: name, firewall, certificate. GitHub waits ten seconds for an answer.";
  return "Compare the webhook on the App's settings page with docs/operations/install.md.";
}

export const signInProbes: readonly Probe[] = [
  {
    id: "sign_in",
    area: "GitHub",
    title: "sign-in",
    examine: withApp(examineSignIn),
  },
];

const ENABLE = "docs/operations/security.md says how to enable sign-in.";

/** Any token shows whether GitHub accepts the credentials with which it is asked. */
const NO_TOKEN = `ghu_${"0".repeat(36)}`;

/** Sign-in is not needed for checks and comments, so that what is missing is a warning. */
async function examineSignIn(
  github: DoctorGitHub,
  { inspected: { settings } }: DoctorContext,
): Promise<ProbeResult> {
  const { signIn, publicUrl, githubUrl } = settings;
  if (signIn === undefined)
    return warn("nobody can sign in: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are not set", ENABLE);
  if (publicUrl === null)
    return warn("nobody can sign in: GitHub leads people back to PUBLIC_URL, which is not set", ENABLE);
  if (!isSignInAddress(publicUrl))
    return warn(
      `nobody can sign in at ${publicUrl}: the cookie would cross the network in clear`,
      "Put a proxy with TLS before Tollgate, and set PUBLIC_URL to its https:// address.",
    );
  return withAnswer("the App", github.app(), async ({ client_id, html_url }) => {
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
