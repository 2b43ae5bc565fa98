import { setTimeout as sleep } from "node:timers/promises";
import { toResult } from "../../github/client/read-answer.ts";
import { readLogin } from "../../github/inspection/read-repository.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createPlatformClient, type Probe as PlatformProbe, probeFor } from "../../platform/client.ts";
import { governance } from "../../platform/contract/governance.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import type { DialectName } from "../../platform/contract/wire/translate.ts";
import type { Failure, PlatformResult } from "../../platform/errors.ts";
import type { Grant } from "../../settings/operator.ts";
import type { PlatformSettings } from "../../settings/read.ts";
import { withAnswer, withApp } from "./github-probes.ts";
import {
  type CoveredRepository,
  count,
  type DoctorContext,
  type DoctorGitHub,
  explainGitHubFailure,
  fail,
  listProbes,
  ok,
  type ProbeProblem,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

type RemotePlatform = Extract<PlatformSettings, { kind: "remote" }>;

export const platformProbes = listProbes("Platform", {
  platform: ["platform", examinePlatform],
  platform_audit: ["audit events", examineAudit],
  trusted_posters: ["trusted posters", withApp(examinePosters)],
  grants: ["grants", withApp(examineGrants)],
});

/** A read is repeated by a person, so its limits are short. */
const LIMITS = { connectMs: 3_000, headersMs: 8_000, totalMs: 10_000, tries: 1 } as const;

async function examinePlatform({ inspected, clock }: DoctorContext): Promise<ProbeResult> {
  const { platform, operator } = inspected.settings;
  if (platform.kind === "embedded") return ok(`embedded, account ${platform.account}`);
  if (!inspected.isUsable("PLATFORM_TOKEN") || !inspected.isUsable("PLATFORM_ACCOUNT"))
    return skip("the platform's settings cannot be used");
  return examineRemote(platform, chooseRead(operator.grants), clock);
}

/** A value that each token for the account may read: it proves address, token, account, scope and dialect. */
function chooseRead(grants: readonly Grant[]): PlatformProbe | null {
  for (const { org, project } of grants)
    if (project !== undefined) return probeFor(getPushDisabled, { params: { org, project } });
  return probeFor(governance.listPromptResources, {});
}

async function examineRemote(
  platform: RemotePlatform,
  read: PlatformProbe | null,
  clock: Clock,
): Promise<ProbeResult> {
  const dialects: readonly DialectName[] =
    platform.dialect === null ? ["live", "neutral"] : [platform.dialect];
  let last: Failure | null = null;
  for (const dialect of dialects) {
    const answer = await readFrom({ ...platform, dialect }, read, clock);
    if (answer.ok) return ok(`${platform.url}, account ${platform.account}, dialect ${dialect}`);
    last = answer.failure;
    if (last.status === null || last.kind === "unauthorised") break; // the other dialect has the same address and token
  }
  return last === null ? skip("nothing can be read") : explainPlatformFailure(platform, last);
}

async function readFrom(
  platform: RemotePlatform,
  probe: PlatformProbe | null,
  clock: Clock,
): Promise<PlatformResult<unknown>> {
  const client = createPlatformClient({
    ...platform,
    clock,
    random: Math.random,
    sleep: (ms) => sleep(ms),
    limits: LIMITS,
  });
  try {
    const { endpoint = getPushDisabled, input = {} } = probe ?? {};
    return await client.call(endpoint, input);
  } finally {
    await client.close();
  }
}

function explainPlatformFailure(
  { url, account }: RemotePlatform,
  { kind, status, message }: Failure,
): ProbeResult {
  const found = `${url} answers ${status ?? "not"}: ${message}`;
  if (kind === "unauthorised") return fail(found, "PLATFORM_TOKEN is wrong, expired or of another account.");
  if (kind === "forbidden")
    return fail(
      found,
      `The token may not read account ${account}: give its service account the viewer role.`,
    );
  if (kind === "not_found" || kind === "malformed" || kind === "rejected")
    return fail(
      found,
      "Compare PLATFORM_URL, PLATFORM_ACCOUNT, PLATFORM_PREFIX and PLATFORM_DIALECT with docs/operations/settings.md, and org and project of the first grant.",
    );
  return fail(
    found,
    "Check PLATFORM_URL, the network and its proxy; the platform's status page says whether it is down.",
  );
}

async function examineAudit({ inspected }: DoctorContext): Promise<ProbeResult> {
  return ok(
    inspected.settings.platform.kind === "embedded"
      ? "link executions to commits"
      : "cannot be read on this platform; statuses, checks and notifications link executions to commits",
  );
}

/** GitHub has no read of an App by its id, so Apps are only counted. */
async function examinePosters(github: DoctorGitHub, { inspected }: DoctorContext): Promise<ProbeResult> {
  const { operator, platform } = inspected.settings;
  const { users, apps } = operator.trusted_posters;
  if (users.length + apps.length === 0)
    return platform.kind === "embedded"
      ? ok("none; the embedded platform needs none")
      : warn(
          "none: no status or check can link an execution of the platform to a commit",
          "Add the account or App that posts them to trusted_posters (docs/operations/operator-file.md).",
        );
  return withAnswer("the installations", github.installations(), async ([first]) => {
    if (first === undefined) return skip("needs an installation");
    const { octokit } = github.client(first.id);
    const read = await Promise.all(
      users.map(async (id) => ({ id, login: await toResult(readLogin(octokit, id)) })),
    );
    const problems = read.flatMap(({ id, login }): readonly ProbeProblem[] => {
      if (login.ok) return [];
      return login.failure.kind === "not_found"
        ? [
            {
              found: `no account has the id ${id}`,
              fix: "Correct it in trusted_posters.users: `gh api users/LOGIN --jq .id` prints an id.",
            },
          ]
        : [explainGitHubFailure(`the account ${id}`, login.failure)];
    });
    const names = read.flatMap(({ login }) => (login.ok ? [login.value] : []));
    const others =
      apps.length === 0 ? [] : [`${count(apps.length, "App")} (GitHub cannot look up Apps by id)`];
    return toResultOf(problems, [...names, ...others].join(", "));
  });
}

async function examineGrants(github: DoctorGitHub, { inspected }: DoctorContext): Promise<ProbeResult> {
  const { grants } = inspected.settings.operator;
  if (grants.length === 0)
    return inspected.settings.platform.kind === "embedded"
      ? ok("none; repositories have the project of their own name")
      : warn(
          "none: no repository is shown anything of the platform",
          "Add grants (docs/operations/operator-file.md).",
        );
  return withAnswer("the repositories", github.repositories(), (repositories) => {
    const problems = grants.flatMap((grant, at) => findGrantProblem(grant, at, repositories));
    return toResultOf(problems, `${count(grants.length, "grant")}, all of installed repositories`, "warning");
  });
}

function findGrantProblem(
  { owner, repository }: Grant,
  at: number,
  repositories: readonly CoveredRepository[],
): readonly ProbeProblem[] {
  const ofOwner = repositories.filter(({ ownerId }) => ownerId === owner);
  const where = `grants[${at}]`;
  const fix =
    "Correct the id, install the App there, or remove the grant: `gh api repos/OWNER/NAME --jq '.owner.id, .id'` prints both ids.";
  if (ofOwner.length === 0)
    return [{ found: `${where} names the owner ${owner}, where the App covers nothing`, fix }];
  if (repository === undefined || ofOwner.some(({ id }) => id === repository)) return [];
  return [
    {
      found: `${where} names the repository ${repository}, which the App does not cover in ${ofOwner[0]?.owner}`,
      fix,
    },
  ];
}
