import { toResult } from "../../github/client/read-answer.ts";
import { listOpenPulls } from "../../github/head/commit-pulls.ts";
import { readDefaultBranch } from "../../github/inspection/read-repository.ts";
import {
  listOtherReporters,
  type RequiredName,
  readBranchRequirements,
} from "../../github/inspection/read-required-checks.ts";
import { formatCheckName, resolveCheckName } from "../../policy/decide-check.ts";
import type { PerformTask } from "../../policy/task.ts";
import { withAnswer, withApp } from "./github-probes.ts";
import { readPolicyTexts } from "./policy-probes.ts";
import {
  type CoveredRepository,
  count,
  type DoctorGitHub,
  fail,
  ok,
  type Probe,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

export const gateProbes: readonly Probe[] = [
  { id: "required_check", area: "Policies", title: "required check", examine: withGate(examineRequired) },
  { id: "foreign_checks", area: "Policies", title: "other checks", examine: withGate(examineOthers) },
];

/** The gate of a repository's default branch. */
interface Gate extends CoveredRepository {
  readonly appId: number;
  readonly branch: string;
  readonly checkName: string;
}

type ExamineGate = (gate: Gate, github: DoctorGitHub) => Promise<ProbeResult>;

function withGate(examine: ExamineGate): Probe["examine"] {
  return withApp(async (github, { repository: wanted, perform }) => {
    if (wanted === null) return skip("needs --repository OWNER/NAME");
    return withAnswer("the repositories", github.repositories(), async (repositories) => {
      const repository = repositories.find(
        ({ owner, name }) => `${owner}/${name}`.toLowerCase() === wanted.toLowerCase(),
      );
      if (repository === undefined)
        return fail(`the App does not cover ${wanted}`, "Install the App on it, or correct the name.");
      const { owner, name: repo, octokit } = repository;
      return withAnswer(wanted, readDefaultBranch(octokit, { owner, repo }), async (branch) => {
        const checkName = await findCheckName(repository, repositories, { branch, perform });
        return examine({ ...repository, appId: github.appId, branch, checkName }, github);
      });
    });
  });
}

/** The name that the policy gives to the check of the branch; an invalid policy gives none. */
async function findCheckName(
  repository: CoveredRepository,
  all: readonly CoveredRepository[],
  { branch, perform }: { readonly branch: string; readonly perform: PerformTask },
): Promise<string> {
  const texts = await readPolicyTexts(repository, all);
  if ("problem" in texts) return resolveCheckName(null, branch);
  const parsed = await perform({ kind: "parse", input: texts, owner: "doctor" });
  return resolveCheckName(parsed.state === "ok" ? parsed.policy : null, branch);
}

async function examineRequired({ octokit, owner, name: repo, ...gate }: Gate): Promise<ProbeResult> {
  const { id, branch, checkName, appId } = gate;
  const where = `${owner}/${repo}`;
  const required = readBranchRequirements(octokit, { repository_id: id, branch });
  return withAnswer(`the rules of ${where}`, required, ({ checks }) => {
    const named = checks.filter(({ name }) => name === checkName);
    const own = named.find((one) => one.appId === appId);
    if (own !== undefined) return ok(`"${checkName}" of this App, by ${own.by} of ${where}`);
    return explainMissing(named, gate, where);
  });
}

function explainMissing(
  named: readonly RequiredName[],
  { checkName, branch }: Pick<Gate, "checkName" | "branch">,
  where: string,
): ProbeResult {
  const what = `"${checkName}" on the branch ${branch} of ${where}`;
  const own = formatCheckName(branch);
  const choose = `In the branch protection rule or ruleset, require it with this App as its source.${
    checkName === own ? "" : ` Until then the check is called "${own}", whatever check_names says.`
  }`;
  if (named.length === 0) return fail(`nothing requires ${what}: pull requests merge without it`, choose);
  return named.some(({ appId }) => appId === null)
    ? warn(`${what} is required from any source: every App and workflow can set it`, choose)
    : fail(`${what} is required from another App`, choose);
}

/** Open pull requests whose heads are examined. */
const MAX_HEADS = 10;

async function examineOthers(gate: Gate, github: DoctorGitHub): Promise<ProbeResult> {
  const { octokit, owner, name: repo, id, branch, checkName, appId, installation } = gate;
  const pulls = listOpenPulls(github.client(installation.id), { id, owner, name: repo }, branch);
  return withAnswer("the pull requests", pulls, async (open) => {
    const heads = open.slice(-MAX_HEADS);
    const read = await Promise.all(
      heads.map(async ({ number, headSha: ref }) => ({
        number,
        reporters: await toResult(
          listOtherReporters(octokit, { owner, repo, ref }, { name: checkName, appId }),
        ),
      })),
    );
    const problems = read.flatMap(({ number, reporters }) =>
      reporters.ok && reporters.value.length > 0
        ? [
            {
              found: `${reporters.value.join(", ")} also reports "${checkName}" on pull request #${number}`,
              fix: "Tollgate never reads it. Rename the other check; require the check with this App as its source.",
            },
          ]
        : [],
    );
    return toResultOf(
      problems,
      `no other App or user reports "${checkName}" (${count(heads.length, "open pull request")})`,
      "warning",
    );
  });
}
