import { Agent } from "undici";
import { toResult } from "../../github/client/read-answer.ts";
import { readAccountType } from "../../github/inspection/read-repository.ts";
import { findMissingTeam, findWriter } from "../../github/people/permissions.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { WrittenPerson } from "../../policy/file/policy-patterns.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { type CoveredRepository, connectDoctor } from "./probe.ts";

/** A person or team that a policy names and that cannot act as it says. */
export interface PersonProblem extends WrittenPerson {
  readonly message: string;
  readonly fix: string;
}

/** `writes` false: the policy is for other repositories too, so who may write to this one says nothing. */
export interface PolicyHome extends Pick<CoveredRepository, "octokit" | "owner" | "name"> {
  readonly writes?: boolean;
}

const NAME_FIX = "Correct the name in the policy file.";

/** Looks up at GitHub whom the policy of a repository names. Nothing is said of what GitHub does not answer. */
export async function findPeopleProblems(
  home: PolicyHome,
  people: readonly WrittenPerson[],
): Promise<readonly PersonProblem[]> {
  const problems: PersonProblem[] = [];
  for (const person of people) {
    const message = await findNameProblem(home, person);
    if (message !== null) problems.push({ ...person, message, fix: NAME_FIX });
    else if (person.kind === "users" && home.writes !== false)
      problems.push(...(await findMissingRight(home, person)));
  }
  return problems;
}

async function findNameProblem(home: PolicyHome, { kind, name }: WrittenPerson): Promise<string | null> {
  if (kind === "teams") {
    const team = await findMissingTeam(home, { owner: home.owner, teams: [name] });
    return team && `the team ${team} does not exist, so nobody is in it`;
  }
  const account = await toResult(readAccountType(home.octokit, name));
  return account.ok && account.value === null ? explainMissing(home, { kind, name }) : null;
}

async function explainMissing({ octokit }: PolicyHome, { kind, name }: Pick<WrittenPerson, "kind" | "name">) {
  const app = await toResult(readAccountType(octokit, `${name}[bot]`));
  if (!app.ok || app.value === null) return `GitHub has no account ${name}`;
  return kind === "authors"
    ? `is no account; the App is "${name}[bot]"`
    : `${name} is an App, which approves nothing and overrides nothing`;
}

async function findMissingRight(home: PolicyHome, person: WrittenPerson): Promise<readonly PersonProblem[]> {
  const { owner, name } = home;
  const login = person.name;
  const writer = await toResult(findWriter(home, { owner, name, login }));
  if (!writer.ok || writer.value !== null) return [];
  return [
    {
      ...person,
      message: `${login} may not write to ${owner}/${name}, so no word of theirs counts`,
      fix: `Give ${login} write access to ${owner}/${name}, or name somebody who has it.`,
    },
  ];
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
    const covered = await toResult(app.repositories());
    const home = covered.ok && covered.value.find(({ owner, name }) => `${owner}/${name}` === repository);
    return home ? await findPeopleProblems(home, people) : [];
  } finally {
    await dispatcher.destroy();
  }
}
