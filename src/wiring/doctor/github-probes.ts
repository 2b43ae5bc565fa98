import { toResult } from "../../github/client/read-answer.ts";
import type { GitHubResult } from "../../github/client/result.ts";
import type { ConsentedInstallation } from "../../github/inspection/read-app.ts";
import { type RateBudget, readRateBudget } from "../../github/inspection/read-repository.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { readAppDefinition } from "../github.ts";
import {
  count,
  type DoctorContext,
  type DoctorGitHub,
  explainGitHubFailure,
  fail,
  ok,
  type Probe,
  type ProbeProblem,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

export const githubProbes: readonly Probe[] = [
  { id: "github_app", area: "GitHub", title: "App", examine: examineApp },
  { id: "github_permissions", area: "GitHub", title: "permissions", examine: withApp(examinePermissions) },
  { id: "github_events", area: "GitHub", title: "events", examine: withApp(examineEvents) },
  {
    id: "github_installations",
    area: "GitHub",
    title: "installations",
    examine: withApp(examineInstallations),
  },
  { id: "github_rate_limit", area: "GitHub", title: "rate limits", examine: withApp(examineRateLimits) },
  { id: "github_clock", area: "GitHub", title: "clock", examine: withApp(examineClock) },
];

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
