import { toResult } from "../../github/client/read-answer.ts";
import { listOpenPulls } from "../../github/head/commit-pulls.ts";
import {
  MISNAMED_FILE,
  MISNAMED_ORGANISATION_FILE,
  ORGANISATION_FILE,
  ORGANISATION_REPOSITORY,
  REPOSITORY_FILE,
} from "../../github/head/head-query.ts";
import {
  listOtherReporters,
  readDefaultBranch,
  readFileText,
} from "../../github/inspection/read-repository.ts";
import { type RequiredName, readBranchRequirements } from "../../github/inspection/read-required-checks.ts";
import { formatCheckName, resolveCheckName } from "../../policy/decide-check.ts";
import type { ParsedPolicy, PolicyText } from "../../policy/file/parse.ts";
import { listWrittenPeople } from "../../policy/file/policy-patterns.ts";
import { formatProblem } from "../../policy/model/policy.ts";
import type { PerformTask } from "../../policy/task.ts";
import { chooseOrgPolicy } from "../policy/operator-rules.ts";
import { withAnswer, withApp } from "./github-probes.ts";
import { findPeopleProblems, type PolicyHome } from "./named-people.ts";
import {
  type CoveredRepository,
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

export const policyProbes = listProbes("Policies", {
  organisation_policy: ["organisation files", withApp(examineOrganisations)],
  policy_files: ["policy files", withApp(examinePolicies)],
  required_check: ["required check", withGate(examineRequired)],
  foreign_checks: ["other checks", withGate(examineOthers)],
});

/** An organisation's file that cannot be read fails every gate of the organisation. */
async function examineOrganisations(
  github: DoctorGitHub,
  { inspected }: DoctorContext,
): Promise<ProbeResult> {
  if (inspected.settings.orgPolicy === "none") return ok("ORG_POLICY=none: none is read");
  return withAnswer("the repositories", github.repositories(), async (repositories) => {
    const organisations = (await github.installations()).filter((one) => one.isOrganisation);
    const { orgPolicy } = inspected.settings;
    const without = typeof orgPolicy === "string" ? [] : orgPolicy;
    const problems = organisations
      .filter(({ account }) => chooseOrgPolicy(inspected.settings, account) === "read")
      .filter(({ coversAll, id }) => !coversAll && findOrganisationRepository(repositories, id) === undefined)
      .map(({ account, pageUrl }): ProbeProblem => {
        const found = `the App covers selected repositories of ${account} without ${account}/${ORGANISATION_REPOSITORY}: whether there is an organisation's policy is unknown, and the gate fails`;
        return {
          found,
          fix: `If it has one, add ${ORGANISATION_REPOSITORY} to the installation (${pageUrl}); if it has none, set ORG_POLICY=none:${[...without, account].join(",")}.`,
        };
      });
    const homes = listOrganisationHomes(repositories, inspected.settings);
    problems.push(...(await mapParallel(homes, findUnreadOrganisationFile)).flat());
    return toResultOf(problems, `can be read in ${count(organisations.length, "organisation")}`);
  });
}

/** An organisation's policy under a name or in a folder where it is not read, which fails every gate. */
async function findUnreadOrganisationFile(home: CoveredRepository): Promise<readonly ProbeProblem[]> {
  const own = await readPolicyText(home, ORGANISATION_FILE);
  if ("problem" in own || own.text !== null) return [];
  for (const path of [MISNAMED_ORGANISATION_FILE, REPOSITORY_FILE]) {
    const other = await readPolicyText(home, path);
    if ("problem" in other || other.text === null) continue;
    const found = `${other.text.file} is not read as the organisation's policy, and every gate of ${home.owner} fails`;
    return [{ found, fix: `Move it to ${ORGANISATION_FILE} at the top of that repository.` }];
  }
  return [];
}

const listOrganisationHomes = (
  repositories: readonly CoveredRepository[],
  settings: DoctorContext["inspected"]["settings"],
): readonly CoveredRepository[] =>
  repositories.filter(
    ({ name, owner, installation }) =>
      name.toLowerCase() === ORGANISATION_REPOSITORY &&
      installation.isOrganisation &&
      chooseOrgPolicy(settings, owner) === "read",
  );

const findOrganisationRepository = (repositories: readonly CoveredRepository[], installationId: number) =>
  repositories.find(
    ({ name, installation }) =>
      installation.id === installationId && name.toLowerCase() === ORGANISATION_REPOSITORY,
  );

/** Most repositories whose files are read. */
const MAX_REPOSITORIES = 200;
/** Reads at a time. */
const PARALLEL = 8;

async function examinePolicies(github: DoctorGitHub, context: DoctorContext): Promise<ProbeResult> {
  return withAnswer("the repositories", github.repositories(), async (repositories) => {
    const examined = repositories.slice(0, MAX_REPOSITORIES);
    const files = await mapParallel(examined, (repository) =>
      examinePolicy(repository, repositories, context.perform),
    );
    const problems = files.flatMap((file) => file?.problems ?? []);
    const people = [
      ...(await examineOrganisationPeople(repositories, context)),
      ...files.flatMap((file) => file?.people ?? []),
    ];
    if (problems.length > 0) return toResultOf([...problems, ...people], "");
    if (people.length > 0) return toResultOf(people, "", "warning");
    const others = repositories.length - examined.length;
    const rest =
      others === 0 ? "" : `; ${count(others, "further repository", "further repositories")} not examined`;
    const found = files.filter((file) => file !== null).length;
    return found === 0
      ? warn(
          `no repository has a ${REPOSITORY_FILE} on its default branch${rest}`,
          "Add one: docs/policy-reference.md; `tollgate policy check` examines it beforehand.",
        )
      : ok(
          `${count(found, "file")} valid, in ${count(examined.length, "repository", "repositories")}${rest}`,
        );
  });
}

/** Applies a function to each item, to a few at the same time; the results keep the items' order. */
async function mapParallel<T, R>(items: readonly T[], apply: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const applyNext = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await apply(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, applyNext));
  return results;
}

interface ExaminedPolicy {
  readonly problems: readonly ProbeProblem[];
  /** Whom a valid file names without effect. */
  readonly people?: readonly ProbeProblem[];
}

/** The problems of a repository's policy file; null: it has none. */
async function examinePolicy(
  repository: CoveredRepository,
  all: readonly CoveredRepository[],
  perform: PerformTask,
): Promise<ExaminedPolicy | null> {
  const texts = await readPolicyTexts(repository, all);
  if ("problem" in texts) return { problems: [texts.problem] };
  if (texts.repository === null) {
    const misnamed = await readPolicyText(repository, MISNAMED_FILE);
    if ("problem" in misnamed) return { problems: [misnamed.problem] };
    if (misnamed.text === null) return null;
    const fix = `Rename it to ${REPOSITORY_FILE}.`;
    return { problems: [{ found: `${misnamed.text.file} has another ending and is not read`, fix }] };
  }
  const problems = listPolicyProblems(await perform({ kind: "parse", input: texts, owner: "doctor" }));
  if (problems.length > 0) return { problems };
  return { problems, people: await examinePeople(repository, texts.repository) };
}

/** Whom the organisations' files name without effect. Write access depends on the repository, so the home's is not asked for. */
async function examineOrganisationPeople(
  repositories: readonly CoveredRepository[],
  { inspected, perform }: DoctorContext,
): Promise<readonly ProbeProblem[]> {
  const homes = listOrganisationHomes(repositories, inspected.settings);
  const problems = await mapParallel(homes, async (home) => {
    const read = await readPolicyText(home, ORGANISATION_FILE);
    if ("problem" in read || read.text === null) return [];
    const input = { repository: null, organisation: read.text };
    const parsed = await perform({ kind: "parse", input, owner: "doctor" });
    return parsed.state === "ok" ? examinePeople({ ...home, writes: false }, read.text) : [];
  });
  return problems.flat();
}

async function examinePeople(home: PolicyHome, { file, text }: PolicyText): Promise<readonly ProbeProblem[]> {
  const problems = await findPeopleProblems(home, listWrittenPeople(text));
  return problems.map((problem) => ({ found: formatProblem({ file, ...problem }), fix: problem.fix }));
}

type PolicyTexts =
  | { readonly repository: PolicyText | null; readonly organisation: PolicyText | null }
  | { readonly problem: ProbeProblem };

/** Reads the policy file of a repository's default branch, with the organisation's above it. */
async function readPolicyTexts(
  repository: CoveredRepository,
  all: readonly CoveredRepository[],
): Promise<PolicyTexts> {
  const own = await readPolicyText(repository, REPOSITORY_FILE);
  if ("problem" in own) return own;
  const home = findOrganisationRepository(all, repository.installation.id);
  if (own.text === null || home === undefined) return { repository: own.text, organisation: null };
  const above = await readPolicyText(home, ORGANISATION_FILE);
  return "problem" in above ? above : { repository: own.text, organisation: above.text };
}

async function readPolicyText(
  { owner, name, octokit }: CoveredRepository,
  path: string,
): Promise<{ readonly text: PolicyText | null } | { readonly problem: ProbeProblem }> {
  const file = `${owner}/${name}:${path}`;
  const read = await toResult(readFileText(octokit, { owner, repo: name, path }));
  if (!read.ok) return { problem: explainGitHubFailure(file, read.failure) };
  return { text: read.value === null ? null : { file, text: read.value } };
}

function listPolicyProblems(parsed: ParsedPolicy): readonly ProbeProblem[] {
  if (parsed.state === "ok") return [];
  const [first] = parsed.problems;
  if (first === undefined) return [];
  const more = parsed.problems.length - 1;
  const found = formatProblem(first);
  return [
    {
      found: more === 0 ? found : `${found} (and ${count(more, "further problem")})`,
      fix: "Its pull requests fail until it is corrected; `tollgate policy check FILE` lists every problem.",
    },
  ];
}

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
