import { readLogin } from "../../github/inspection/read-repository.ts";
import type { Grant } from "../../settings/operator.ts";
import type { CoveredRepository, DoctorContext, DoctorGitHub } from "./context.ts";
import { withAnswer, withApp } from "./github-probes.ts";
import {
  count,
  explainGitHubFailure,
  ok,
  type Probe,
  type ProbeProblem,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

export const operatorProbes: readonly Probe[] = [
  {
    id: "trusted_posters",
    area: "Platform",
    title: "trusted posters",
    examine: (context) => withApp(context, examinePosters),
  },
  { id: "grants", area: "Platform", title: "grants", examine: (context) => withApp(context, examineGrants) },
];

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
  return withAnswer("the installations", await github.installations(), async ([first]) => {
    if (first === undefined) return skip("needs an installation");
    const { octokit } = github.client(first.id);
    const read = await Promise.all(users.map(async (id) => ({ id, login: await readLogin(octokit, id) })));
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
  return withAnswer("the repositories", await github.repositories(), (repositories) => {
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
