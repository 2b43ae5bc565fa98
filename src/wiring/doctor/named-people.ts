import { Agent } from "undici";
import { readAccountType } from "../../github/inspection/read-repository.ts";
import { findMissingTeam, findWriter } from "../../github/people/permissions.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { WrittenPerson } from "../../policy/file/policy-patterns.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { type CoveredRepository, connectDoctor } from "./context.ts";

/** A person or team that a policy names and that cannot act as it says. */
export interface PersonProblem extends WrittenPerson {
  readonly message: string;
}

type PolicyHome = Pick<CoveredRepository, "octokit" | "owner" | "name">;

/** Looks up at GitHub whom the policy of a repository names. Nothing is said of what GitHub does not answer. */
export async function findPeopleProblems(
  home: PolicyHome,
  people: readonly WrittenPerson[],
): Promise<readonly PersonProblem[]> {
  const problems: PersonProblem[] = [];
  for (const person of people) {
    const message = await findPersonProblem(home, person);
    if (message !== null) problems.push({ ...person, message });
  }
  return problems;
}

async function findPersonProblem(home: PolicyHome, { kind, name }: WrittenPerson): Promise<string | null> {
  if (kind === "teams") {
    const team = await findMissingTeam(home, { owner: home.owner, teams: [name] });
    return team && `the team ${team} does not exist, so nobody is in it`;
  }
  const account = await readAccountType(home.octokit, name);
  if (account.ok && account.value === null) return explainMissing(home, { kind, name });
  return kind === "authors" ? null : findMissingRight(home, name);
}

async function explainMissing({ octokit }: PolicyHome, { kind, name }: Pick<WrittenPerson, "kind" | "name">) {
  const app = await readAccountType(octokit, `${name}[bot]`);
  if (!app.ok || app.value === null) return `GitHub has no account ${name}`;
  return kind === "authors"
    ? `is no account; the App is "${name}[bot]"`
    : `${name} is an App, which approves nothing and overrides nothing`;
}

async function findMissingRight(home: PolicyHome, login: string): Promise<string | null> {
  const { owner, name } = home;
  const writer = await findWriter(home, { owner, name, login });
  return writer.ok && writer.value === null
    ? `${login} may not write to ${owner}/${name}, so no word of theirs counts`
    : null;
}

/** The same for a repository of the App whose credentials are in the environment; none where the App does not cover it. */
export async function findPeopleProblemsOf(
  repository: string,
  people: readonly WrittenPerson[],
): Promise<readonly PersonProblem[]> {
  const { github: credentials, githubUrl } = readSettings(readEnvironment());
  if (credentials === null || people.length === 0) return [];
  const dispatcher = new Agent();
  try {
    const app = connectDoctor({ credentials, githubUrl, dispatcher, clock: systemClock });
    const covered = await app.repositories();
    const home = covered.ok && covered.value.find(({ owner, name }) => `${owner}/${name}` === repository);
    return home ? await findPeopleProblems(home, people) : [];
  } finally {
    await dispatcher.destroy();
  }
}
