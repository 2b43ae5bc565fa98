import { createHash } from "node:crypto";
import type { Sandbox } from "../../../../sandbox/sandbox.ts";
import { DAY_MS } from "../../../kernel/clock.ts";
import { TollgateError } from "../../../kernel/errors.ts";
import { parseSha, type Sha } from "../../../kernel/ids.ts";
import { parsePolicy } from "../../../policy/file/parse.ts";
import type { Policy } from "../../../policy/model/policy.ts";
import type { DemoClock } from "../demo-clock.ts";
import type { Choices } from "./seeded-random.ts";

/** A repository of the demo with a past, its policy in force, and the blob id of the policy's file. */
export interface PastRepository {
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
  readonly policy: Policy;
  readonly blob: string;
}

/** A commit of a past pull request and what its plans stated. */
export interface PastPush {
  readonly headSha: Sha;
  readonly atMs: number;
  /** Change of the monthly cost of each stage, in cents of a dollar. */
  readonly cents: { readonly production: number; readonly staging: number };
  readonly replaced: number;
}

/** A closed pull request of the demo's past. `ending`: what happened after its last push. */
export interface PastPull {
  readonly repository: PastRepository;
  readonly number: number;
  readonly title: string;
  readonly author: Person;
  readonly pushes: readonly PastPush[];
  readonly approver: Person | null;
  readonly ending: {
    readonly as: "merged" | "closed";
    readonly atMs: number;
    readonly by: Person;
    readonly sha: string | null;
  };
}

export interface Person {
  readonly id: number;
  readonly login: string;
}

/** How a pull request went: whether its first push exceeds the limit, and what its people did then. */
const PLOTS = [
  ...(["small", "small", "small", "small", "small", "small", "small", "small", "small", "small"] as const),
  ...(["saving", "saving", "saving", "lowered", "lowered", "approved", "approved", "approved"] as const),
  ...(["overridden", "abandoned"] as const),
] as const;
type Plot = (typeof PLOTS)[number];

const NAMES = ["payments-infra", "data-platform", "edge-network"] as const;
const AUTHORS = ["alice", "bob", "carol", "dave"] as const;
const APPROVER = "grace";
const FINOPS = "finops";
const PULLS = 60;
const PAST_DAYS = 170;

const TITLES = [
  "Add a read replica",
  "Move the cache to smaller nodes",
  "Raise the disk of the queue",
  "Retire the old load balancer",
  "Add a second zone",
  "Use the newer machine type",
  "Keep logs for ninety days",
  "Scale the workers with the queue",
  "Encrypt the backups with a key of our own",
  "Split the reporting database",
] as const;

const buildPolicy = (until: string): string => `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
    per: stage
    approve: { teams: [${FINOPS}] }
  - id: replaced-resources
    limit: { replacements: 0 }
    enforce: warn
  - id: many-deletions
    limit: { deletions: 10 }
budgets:
  - { id: production-budget, scope: { workspaces: [production] }, amount: 21000 USD }
waivers:
  - { rule: monthly-increase, scope: { workspaces: [staging] }, up_to: 900 USD, until: ${until}, reason: "load test", owner: ${FINOPS} }
`;

/**
 * Plays the past of the sandbox's organisation on the sandbox GitHub, before any App is installed: repositories, people, and pull
 * requests of the last months, all of them merged or closed.
 */
export function playPast(
  sandbox: Sandbox,
  { owner, clock, choices, nowMs }: { owner: string; clock: DemoClock; choices: Choices; nowMs: number },
): readonly PastPull[] {
  const people = new Map<string, Person>();
  for (const login of [...AUTHORS, APPROVER]) people.set(login, sandbox.createOwner({ login, type: "user" }));
  for (const login of [...AUTHORS, APPROVER]) sandbox.addMember({ organisation: owner, login });
  sandbox.createTeam({ organisation: owner, slug: FINOPS, members: [APPROVER] });
  const until = new Date(nowMs + 9 * DAY_MS).toISOString().slice(0, 10);
  const pulls = NAMES.flatMap((name) => {
    clock.show(nowMs - PAST_DAYS * DAY_MS);
    const repository = createRepository(sandbox, { owner, name, text: buildPolicy(until) });
    return Array.from({ length: PULLS }, (_, index) => {
      const startMs = nowMs - (PAST_DAYS - ((index + 1) / PULLS) * (PAST_DAYS - 8)) * DAY_MS;
      return playPull({ sandbox, clock, choices, people }, { repository, startMs, index });
    });
  });
  clock.showPresent();
  return pulls;
}

function createRepository(
  sandbox: Sandbox,
  { owner, name, text }: { readonly owner: string; readonly name: string; readonly text: string },
): PastRepository {
  const files = { ".github/tollgate.yml": text, "README.md": `# ${name}\n` };
  const { id } = sandbox.createRepository({ owner, name, files });
  const parsed = parsePolicy({
    repository: { file: `${owner}/${name}:.github/tollgate.yml`, text },
    organisation: null,
  });
  if (parsed.state !== "ok") throw new TollgateError("internal", "the demo's policy has problems");
  for (const login of AUTHORS)
    sandbox.setCollaborator({ repository: `${owner}/${name}`, login, permission: "write" });
  const blob = createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");
  return { repositoryId: id, owner, name, policy: parsed.policy, blob };
}

interface Stage {
  readonly sandbox: Sandbox;
  readonly clock: DemoClock;
  readonly choices: Choices;
  readonly people: ReadonlyMap<string, Person>;
}

function playPull(
  { sandbox, clock, choices, people }: Stage,
  { repository, startMs, index }: { repository: PastRepository; startMs: number; index: number },
): PastPull {
  const full = `${repository.owner}/${repository.name}`;
  const plot = choices.pick(PLOTS);
  const login = choices.pick(AUTHORS);
  const title = choices.pick(TITLES);
  const branch = `change-${index + 1}`;
  let atMs = startMs;
  const pushes = listAmounts(plot, choices).map((cents, at): PastPush => {
    if (at > 0) atMs += choices.between(0.2, 1.5) * DAY_MS;
    clock.show(atMs);
    const files = { [`infra/${branch}.tf`]: `# ${title}, ${at + 1}\n` };
    const { after } = sandbox.push({ repository: full, branch, files, message: title, by: login });
    return { headSha: requireSha(after), atMs, cents, replaced: choices.integer(0, 5) === 0 ? 1 : 0 };
  });
  clock.show(startMs);
  const { number } = sandbox.openPullRequest({ repository: full, head: branch, title, author: login });
  const as = plot === "abandoned" ? "closed" : "merged";
  const endMs = atMs + choices.between(0.3, 3) * DAY_MS;
  clock.show(endMs);
  const key = { repositoryId: repository.repositoryId, number };
  const ended = as === "merged" ? sandbox.mergePullRequest(key, login) : sandbox.closePullRequest(key, login);
  const person = (name: string): Person => ({ login: name, id: people.get(name)?.id ?? 0 });
  return {
    ...{ repository, number, title, pushes },
    author: person(login),
    approver: plot === "approved" ? person(APPROVER) : null,
    ending: { as, atMs: endMs, by: person(login), sha: ended.mergeCommitSha },
  };
}

/** The change of each push. The limit is 500 USD per stage. */
function listAmounts(plot: Plot, choices: Choices): readonly PastPush["cents"][] {
  const amount = (from: number, to: number) => Math.round(choices.between(from, to) * 100);
  const push = (from: number, to: number) => ({ production: amount(from, to), staging: amount(0, 40) });
  switch (plot) {
    case "saving":
      return [push(-400, -20)];
    case "lowered":
      return [push(520, 1_400), push(510, 800), push(50, 480)];
    case "approved":
    case "overridden":
    case "abandoned":
      return [push(520, 1_900), push(510, 1_200)];
    case "small":
      return Array.from({ length: choices.integer(1, 3) }, () => push(-60, 180));
  }
}

function requireSha(text: string): Sha {
  const sha = parseSha(text);
  if (sha === null) throw new TollgateError("internal", "the sandbox made a commit without an id");
  return sha;
}
