import { resolveGitHubPagesUrl } from "../../github/client/guarded-fetch.ts";
import { toResult } from "../../github/client/read-answer.ts";
import type { GitHubResult } from "../../github/client/result.ts";
import {
  type ConsentedInstallation,
  listRecentDeliveries,
  type RecordedDelivery,
  readWebhookConfig,
  type WebhookConfig,
} from "../../github/inspection/read-app.ts";
import { type RateBudget, readRateBudget } from "../../github/inspection/read-repository.ts";
import { createUserTokens, NO_TOKEN } from "../../github/user-tokens.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { readAppDefinition } from "../github.ts";
import { isSignInAddress } from "../pages/pages-address.ts";
import {
  count,
  type DoctorContext,
  type DoctorGitHub,
  explainGitHubFailure,
  fail,
  listProbes,
  ok,
  type Probe,
  type ProbeProblem,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

export const githubProbes = listProbes("GitHub", {
  github_app: ["App", examineApp],
  github_permissions: ["permissions", withApp(examinePermissions)],
  github_events: ["events", withApp(examineEvents)],
  github_installations: ["installations", withApp(examineInstallations)],
  github_rate_limit: ["rate limits", withApp(examineRateLimits)],
  github_clock: ["clock", withApp(examineClock)],
  webhook: ["webhook", withApp(examineWebhook)],
  webhook_deliveries: ["deliveries", withApp(examineDeliveries)],
  sign_in: ["sign-in", withApp(examineSignIn)],
});

async function examineApp({ github, inspected }: DoctorContext): Promise<ProbeResult> {
  if (github === null)
    return inspected.settings.github === null
      ? fail(
          "no GitHub App is configured",
          "Run `tollgate start`: it prints a link to pages that register one.",
        )
      : skip("the App's settings cannot be used");
  const app = await toResult(github.app());
  if (app.ok) return ok(`${app.value.name} (${app.value.id}), ${app.value.html_url}`);
  const { failure } = app;
  if (failure.kind !== "unauthorised" && failure.kind !== "not_found") {
    const { found, fix } = explainGitHubFailure("the App", failure);
    return fail(found, fix);
  }
  return fail(
    `GitHub rejects the credentials of App ${github.appId}: ${failure.message}`,
    "APP_ID and the private key must be of one App. Its settings page at GitHub shows the ID and generates a new key.",
  );
}

type ExamineGitHub = (github: DoctorGitHub, context: DoctorContext) => Promise<ProbeResult>;

/** Examines only with an App that GitHub accepts: everything else would fail for the same reason. */
export function withApp(examine: ExamineGitHub): Probe["examine"] {
  return async (context) => {
    const { github } = context;
    if (github === null) return skip("needs a GitHub App");
    const app = await toResult(github.app());
    return app.ok ? examine(github, context) : skip("needs an App that GitHub accepts");
  };
}

/** Examines what is read; a failed read is a problem. */
export const withAnswer = async <T>(
  what: string,
  read: Promise<T>,
  examine: (value: T) => ProbeResult | Promise<ProbeResult>,
): Promise<ProbeResult> => {
  const answer = await toResult(read);
  return answer.ok
    ? examine(answer.value)
    : { state: "failed", problems: [explainGitHubFailure(what, answer.failure)] };
};

const RANKS: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };
const rank = (access: string | undefined): number => RANKS[access ?? ""] ?? 0;

/** The permissions of `wanted` that `granted` lacks, as `checks: write`. */
const listLacking = (
  wanted: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.entries(wanted)
    .filter(([name, access]) => rank(access) > rank(granted[name]))
    .map(([name, access]) => `${name}: ${access}`);

async function examinePermissions(github: DoctorGitHub): Promise<ProbeResult> {
  return withAnswer("the App", github.app(), ({ permissions, html_url }) => {
    const { default_permissions: wanted } = readAppDefinition();
    const lacking = listLacking(wanted, permissions);
    const page = `Change it on the App's settings page (${html_url}), then accept it in each installation.`;
    if (lacking.length > 0) return fail(`the App lacks ${lacking.join(", ")}`, page);
    const extra = listLacking(permissions, wanted);
    return extra.length === 0
      ? ok(`as in app.yml (${Object.keys(wanted).length})`)
      : warn(
          `the App has more than it needs: ${extra.join(", ")}`,
          `${page} docs/permissions.md says what is needed.`,
        );
  });
}

async function examineEvents(github: DoctorGitHub): Promise<ProbeResult> {
  return withAnswer("the App", github.app(), ({ events, html_url }) => {
    const { default_events: wanted } = readAppDefinition();
    const missing = wanted.filter((event) => !events.includes(event));
    return missing.length === 0
      ? ok(`as in app.yml (${wanted.length})`)
      : fail(
          `GitHub does not deliver ${missing.join(", ")}`,
          `Subscribe to these events on the App's settings page (${html_url}).`,
        );
  });
}

async function examineInstallations(github: DoctorGitHub): Promise<ProbeResult> {
  const app = await toResult(github.app());
  const page = app.ok ? `${app.value.html_url}/installations/new` : "the App's page";
  return withAnswer("the installations", github.allInstallations(), (all) => {
    if (all.length === 0) return fail("the App is not installed anywhere", `Install it: ${page}`);
    const { default_permissions: wanted } = readAppDefinition();
    const problems = all.flatMap((one) => findConsentProblem(one, wanted));
    return toResultOf(problems, all.map(describeInstallation).join(", "));
  });
}

const describeInstallation = ({ account, coversAll }: ConsentedInstallation): string =>
  `${account} (${coversAll ? "all" : "selected"} repositories)`;

function findConsentProblem(
  { account, pageUrl, permissions, isSuspended }: ConsentedInstallation,
  wanted: Readonly<Record<string, string>>,
): readonly ProbeProblem[] {
  if (isSuspended) return [{ found: `${account} suspended the App`, fix: `Unsuspend it: ${pageUrl}` }];
  const lacking = listLacking(wanted, permissions);
  if (lacking.length === 0) return [];
  return [
    {
      found: `${account} has not accepted ${lacking.join(", ")}`,
      fix: `An owner of ${account} reviews the request and accepts it: ${pageUrl}`,
    },
  ];
}

/** Below this share of its hourly calls an installation may be paused soon. */
const LOW_SHARE = 0.1;

async function examineRateLimits(github: DoctorGitHub, { clock }: DoctorContext): Promise<ProbeResult> {
  return withAnswer("the installations", github.installations(), async (all) => {
    const budgets = await Promise.all(
      all.map(async ({ id, account }) => ({
        account,
        budget: await toResult(readRateBudget(github.client(id).octokit)),
      })),
    );
    const problems = budgets.flatMap(({ account, budget }) => findRateProblem(account, budget, clock.now()));
    const texts = budgets.flatMap(({ account, budget }) =>
      budget.ok && budget.value !== null
        ? [`${account} ${budget.value.remaining} of ${budget.value.limit}`]
        : [],
    );
    return toResultOf(problems, texts.join(", ") || "none", "warning");
  });
}

function findRateProblem(
  account: string,
  budget: GitHubResult<RateBudget | null>,
  nowMs: number,
): readonly ProbeProblem[] {
  if (!budget.ok) return [explainGitHubFailure(`the rate limit of ${account}`, budget.failure)];
  if (budget.value === null) return [];
  const { limit, remaining, resetMs } = budget.value;
  if (remaining >= limit * LOW_SHARE) return [];
  const minutes = Math.max(0, Math.ceil((resetMs - nowMs) / MINUTE_MS));
  return [
    {
      found: `${account} has ${remaining} of ${limit} calls left in this hour`,
      fix: `It is full again in ${count(minutes, "minute")}. Raise LANE_SPACING_MS if this recurs.`,
    },
  ];
}

/** GitHub refuses the App's tokens from about a minute on. */
const MAX_SKEW_MS = 30_000;

async function examineClock(github: DoctorGitHub, { clock }: DoctorContext): Promise<ProbeResult> {
  return withAnswer("the App", github.app(), ({ serverTimeMs }) => {
    if (serverTimeMs === null) return skip("GitHub states no time");
    const skewMs = Math.abs(serverTimeMs - clock.now());
    const seconds = Math.round(skewMs / 1000);
    return skewMs <= MAX_SKEW_MS
      ? ok(`GitHub's differs by ${count(seconds, "second")}`)
      : warn(`this machine's clock differs by ${seconds} s from GitHub's`, "Synchronise the clock (NTP).");
  });
}

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
): readonly (ProbeProblem | false)[] {
  const expected = publicUrl === null ? null : `${publicUrl}${WEBHOOK_PATH}`;
  const set = `Set the webhook URL on the App's settings page to ${expected ?? `the public address with ${WEBHOOK_PATH}`}.`;
  if (url === "") return [{ found: "the App has no webhook URL, so GitHub delivers nothing", fix: set }];
  const isElsewhere = expected === null ? !url.endsWith(WEBHOOK_PATH) : url !== expected;
  return [
    isElsewhere && {
      found: `GitHub delivers to ${url}${expected === null ? "" : `, not to ${expected}`}`,
      fix: set,
    },
    !isJson && {
      found: "the webhook's content type is not application/json",
      fix: "Choose it on the App's settings page.",
    },
    !verifiesCertificate && {
      found: "GitHub does not verify the certificate of the webhook's address",
      fix: "Enable SSL verification on the App's settings page.",
    },
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

const ENABLE = "docs/operations/security.md says how to enable sign-in.";

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
    const checked = await createUserTokens(app).checkToken(NO_TOKEN);
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
