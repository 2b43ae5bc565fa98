import { CHEAP, EXPENSIVE } from "../costs.ts";
import { OWNER, REPOSITORY } from "../places.ts";
import type { World } from "../world.ts";

export const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { permission: maintain, reviews: true } }
  - { id: no-jump, when: cost.percent > 4000, approve: { teams: [finops] } }
  - { id: not-much-more, limit: { percent: 900 }, enforce: warn }
  - { id: usage-is-known, limit: { usage: 0 }, enforce: warn }
  - { id: lab-total, limit: { total: 50 USD }, per: stage, scope: { workspaces: [lab-*] } }
  - { id: quiet, limit: { anomalies: 0 }, enforce: warn, scope: { labels: [ready] } }
budgets:
  - { id: room, amount: 500 USD, scope: { workspaces: [room-*] } }
waivers:
  - { rule: lab-total, scope: { workspaces: [lab-waived] }, up_to: 900 USD, until: 2027-03-31, reason: "load test", owner: finops }
`;

type Pull = ReturnType<World["opensPullRequest"]>;

/** A world with a policy, people, and pull requests in every state; `settle` waits for the bot and is called after each step. */
export interface StoryParts {
  readonly world: World;
  readonly settle: () => Promise<void>;
}

export async function playStory({ world, settle }: StoryParts): Promise<void> {
  const { github, ci } = world;
  let runs = 0;
  const open = (branch: string, files = { [`infra/${branch}.tf`]: `# ${branch}\n` }, base = "main"): Pull =>
    world.opensPullRequest({ branch, files, title: `Change ${branch}`, base });
  const plan = async (sha: string, run: object = {}) => {
    runs += 1;
    await ci.runs({
      sha,
      cost: CHEAP,
      changes: [],
      executionId: `run-${runs}`,
      workspace: `ws-${runs}`,
      ...run,
    });
    await settle();
  };
  const planned = async (branch: string, run: object = {}) => {
    const pull = open(branch);
    await settle();
    await plan(pull.headSha, run);
    return pull;
  };
  const says = async (pull: Pull, by: string, body: string) => {
    github.addComment(pull, { body, by });
    await settle();
  };
  const approves = async (pull: Pull, words: string) => {
    github.addLabel(pull, { label: "ready" });
    await settle();
    await says(pull, "grace", `/tollgate approve ${pull.headSha} ${words}`);
  };
  const pushes = async (pull: Pull, run: object) => {
    const { after } = github.push({
      repository: REPOSITORY,
      branch: pull.headRef,
      files: { "infra/more.tf": "# more\n" },
    });
    await settle();
    await plan(after, run);
  };

  await planned("passes");
  await planned("blocked", { cost: EXPENSIVE });
  const approved = await planned("approved", { cost: EXPENSIVE });
  await approves(approved, "up to 600 USD load test until May");
  const lapsed = await planned("lapsed", { cost: EXPENSIVE, workspace: "ws-lapsed" });
  await approves(lapsed, "up to 600 USD until the launch");
  await pushes(lapsed, { cost: { before: "10", after: "710", change: "700" }, workspace: "ws-lapsed" });
  const revoked = await planned("revoked", { cost: EXPENSIVE });
  await approves(revoked, "up to 600 USD fine");
  await says(revoked, "grace", "/tollgate revoke too expensive after all");
  const deletes = [
    { address: "module.web.aws_db_instance.old", change: "deleted" as const, cloudId: "db-1" },
    { address: "aws_instance.web", change: "changed" as const, cloudId: "i-1" },
    { address: "aws_instance.new", change: "added" as const },
  ];
  const reviewed = await planned("reviewed", { changes: deletes });
  github.review(reviewed, { by: "olga", state: "approved" });
  await settle();
  await planned("undecided", { completeness: "partial" });
  await planned("usage", { usageBased: ["aws_lambda_function.api"] });
  await planned("lab", { cost: { before: "0", after: "80", change: "80" }, workspace: "lab-waived" });
  await planned("lab-strict", {
    cost: { before: "0", after: "80", change: "80" },
    workspace: "lab-strict",
  });
  await planned("room-first", {
    cost: { before: "100", after: "180", change: "80" },
    workspace: "room-a",
  });
  await planned("room-second", {
    cost: { before: "300", after: "390", change: "90" },
    workspace: "room-b",
  });
  open("waiting");
  await settle();
  const asked = await planned("asked", { cost: EXPENSIVE });
  await says(asked, "heidi", "/tollgate explain monthly-increase");
  await says(asked, "mallory", `/tollgate approve ${asked.headSha} up to 600 USD please`);
  const draft = await planned("draft", { cost: EXPENSIVE });
  github.convertToDraft(draft);
  await settle();
  const euro = await planned("euro", {
    cost: { before: "10", after: "20", change: "10", currency: "EUR" },
  });
  await plan(euro.headSha);
  const edits = open("edits-policy", {
    ".github/tollgate.yml": POLICY.replace("100 USD", "300 USD").replace(/ {2}- \{ id: no-jump.*\n/, ""),
    "infra/edits.tf": "# edits\n",
  });
  await settle();
  await plan(edits.headSha);
  await onOtherBranches({ world, settle }, open);
  const failed = await planned("failed-run", { status: "failure", cost: undefined, changes: undefined });
  github.addLabel(failed, { label: "later" });
  await settle();
  const merged = await planned("merged", { cost: { before: "100", after: "150", change: "50" } });
  github.mergePullRequest(merged);
  await settle();
  const queued = [await planned("queued-first"), await planned("queued-second")];
  github.addToMergeQueue(queued);
  await settle();
  github.closePullRequest(await planned("closed"));
  await settle();
}

/** Pull requests into branches whose policy is invalid or absent. */
async function onOtherBranches(
  { world: { github }, settle }: StoryParts,
  open: (branch: string, files: Record<string, string>, base: string) => Pull,
): Promise<void> {
  const into = async (base: string, policy: string | null) => {
    github.push({ repository: REPOSITORY, branch: base, files: { ".github/tollgate.yml": policy } });
    await settle();
    open(`into-${base}`, { "infra/x.tf": `# ${base}\n` }, base);
    await settle();
  };
  await into("broken", "version: 1\nrules: [{ id: x, limit: { increase: much } }]\n");
  await into("strict", "version: 1\nexpect:\n  - { paths: ['infra/**'], workspaces: [a, b], within: 2h }\n");
}

/** What happens while no job is processed: their deliveries stay in the queue. */
export async function playUnprocessed({ world, settle }: StoryParts): Promise<void> {
  const { github } = world;
  const [blocked] = ["blocked"].map((branch) => ({
    repositoryId: world.repositoryId,
    number: pullOfBranch(world, branch),
  }));
  if (blocked === undefined) throw new Error("there is no pull request");
  const { headSha } = github.pullRequest(blocked);
  github.addComment(blocked, { by: "grace", body: `/tollgate approve ${headSha} up to 600 USD at last` });
  world.opensPullRequest({ branch: "late", files: { "infra/late.tf": "# late\n" }, title: "Change late" });
  github.addLabel(blocked, { label: "urgent" });
  github.rerequestCheckSuite({
    checkSuiteId:
      github.checkRuns({ repository: REPOSITORY, sha: headSha, appId: world.appId })[0]?.suiteId ?? 0,
  });
  await settle();
}

function pullOfBranch({ github, repositoryId }: World, branch: string): number {
  for (let number = 1; ; number++)
    if (github.pullRequest({ repositoryId, number }).headRef === branch) return number;
}

/** People around the repository: grace and heidi of finops can write, mallory of finops only reads, olga maintains. */
export function addPeople({ github }: Pick<World, "github">): void {
  github.createTeam({ organisation: OWNER, slug: "finops", members: ["grace", "heidi", "mallory"] });
  for (const login of ["grace", "heidi"])
    github.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
  github.addMember({ organisation: OWNER, login: "olga" });
  github.setCollaborator({ repository: REPOSITORY, login: "olga", permission: "maintain" });
}
