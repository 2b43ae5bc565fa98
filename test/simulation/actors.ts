import { isAncestor } from "../../sandbox/state/git.ts";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import { getObjects, requireRepository } from "../../sandbox/state/world.ts";
import { Conversation } from "./conversation.ts";
import { MergeQueue } from "./merge-queue.ts";
import { OverridePlaces } from "./override-places.ts";
import { Pipelines } from "./pipelines.ts";
import { FORK, FORK_OWNER, ORGANISATION_REPOSITORY, REPOSITORY, type Surroundings } from "./places.ts";
import { getCodeOwners, ORGANISATION_POLICIES, POLICIES, type PolicyName } from "./policies.ts";
import type { ActorStep, PullStep } from "./step.ts";

/** At most so many pull requests are opened in a story. */
const PULLS = 2;

type PullAct = (pull: SandboxPull, step: PullStep, appId: number) => unknown;
type PullActs = {
  readonly [Kind in PullStep["do"]]: (
    pull: SandboxPull,
    step: PullStep & { readonly do: Kind },
    appId: number,
  ) => unknown;
};
type OtherStep = Exclude<ActorStep, PullStep>;
type Acts = {
  readonly [Kind in OtherStep["do"]]: (step: OtherStep & { readonly do: Kind }, appId: number) => unknown;
};

const isOpen = ({ state }: SandboxPull): boolean => state === "open";

/** What people and their CI do. A step that is not possible now does nothing. */
export class Actors {
  readonly #places: Surroundings;
  readonly #pipelines: Pipelines;
  readonly #conversation: Conversation;
  readonly queue: MergeQueue;
  readonly overridePlaces: OverridePlaces;
  /** Comments and reviews, by `comment:<id>` and `review:<id>`, whose approval or override the bot has seen end: none begins again. */
  readonly ended = new Set<string>();
  #commits = 0;
  /** Heads of each pull request in order, by its number. */
  readonly heads = new Map<number, string[]>();

  constructor(places: Surroundings) {
    this.#places = places;
    this.#pipelines = new Pipelines(places);
    this.#conversation = new Conversation(places);
    this.queue = new MergeQueue(places);
    this.overridePlaces = new OverridePlaces(places);
  }

  get #verbs() {
    return this.#places.github.verbs;
  }

  /** The pull requests so far, in order. */
  get pulls(): readonly SandboxPull[] {
    return this.#places.github.world.pulls.all();
  }

  act(step: ActorStep, appId: number): void {
    // Each kind of step is looked up by its own name, which the compiler cannot follow.
    if ("pull" in step) {
      const [pull] = this.pulls.slice(step.pull % Math.max(1, this.pulls.length));
      if (pull !== undefined) (this.#pullActs[step.do] as PullAct)(pull, step, appId);
    } else (this.#acts[step.do] as (step: ActorStep, appId: number) => void)(step, appId);
  }

  readonly #acts: Acts = {
    opens: (step) => this.#opens(step),
    ends: ({ cost }) => this.#pipelines.ends(cost),
    repeats: () => this.#pipelines.repeats(),
    "edits policy": ({ base, policy }) => this.#editsPolicy(base, policy),
    "are queued": () => this.queue.adds(this.pulls),
    "queue moves on": (_, appId) => {
      this.queue.movesOn(appId);
      this.#mergesContained();
    },
    "group is announced": (step) => this.#plansGroup(step),
    "group is planned": (step) => this.#plansGroup(step) && this.#pipelines.ends(step.cost),
    "edits organisation policy": ({ policy }) =>
      this.#verbs.push({
        repository: ORGANISATION_REPOSITORY,
        branch: "main",
        files: { "tollgate.yml": ORGANISATION_POLICIES[policy] },
      }),
    "edits a comment": ({ which }) => this.#conversation.edits(which),
    "deletes a comment": ({ which }) => this.#conversation.deletes(which),
    "edits a review": ({ which }) => this.#conversation.editsReview(which),
    "dismisses a review": ({ which }) => this.#conversation.dismissesReview(which),
  };

  readonly #pullActs: PullActs = {
    "is planned": ({ headSha }, { cost, workspace = "production", resource = null }) => {
      this.#pipelines.begins(headSha, { workspace, resource });
      this.#pipelines.ends(cost);
    },
    "is queued": (pull) => this.queue.adds([pull]),
    "is claimed": ({ headSha }) => this.#pipelines.claims(headSha),
    joins: (pull) => isOpen(pull) && this.#joins(pull),
    plans: (pull, step) => this.#plans(pull, step),
    approves: (pull, step) => this.#approves(pull, step),
    reviews: (pull, { by, state, upTo }) => this.#conversation.reviews(pull, by, { state, upTo }),
    overrides: (pull, { by, head }) => this.overrides(pull, by, this.#headOf(pull.number, head)),
    revokes: (pull, { by }) => this.#conversation.writes(pull, by, "/tollgate revoke"),
    "spoils the report": (pull, { how }, appId) => this.#conversation.spoils(pull, appId, how),
    closes: (pull) => isOpen(pull) && this.#unqueued(pull, () => this.#verbs.closePullRequest(pull)),
    reopens: (pull) =>
      !isOpen(pull) &&
      pull.mergedAt === null &&
      !this.#isMerged(pull.headSha, pull.baseRef) &&
      this.#verbs.reopenPullRequest(pull),
    merges: (pull) => isOpen(pull) && !pull.draft && this.#merges(pull),
    drafts: (pull) =>
      isOpen(pull) && !pull.draft && this.#unqueued(pull, () => this.#verbs.convertToDraft(pull)),
    readies: (pull) => isOpen(pull) && pull.draft && this.#verbs.markReadyForReview(pull),
    retargets: (pull, { base }) =>
      isOpen(pull) &&
      pull.baseRef !== base &&
      !this.#isMerged(pull.headSha, base) &&
      this.#unqueued(pull, () => this.#verbs.retargetPullRequest(pull, { base })),
    pushes: (pull) => isOpen(pull) && this.#pushes(pull, "pushes"),
    forcePushes: (pull) => isOpen(pull) && this.#pushes(pull, "forcePushes"),
  };

  /** GitHub takes it out of the merge queue before. */
  #unqueued({ number }: SandboxPull, change: () => unknown): void {
    this.queue.leaves(number);
    change();
  }

  #merges(pull: SandboxPull): void {
    if (this.#verbs.testMerge(pull) === null) return; // it conflicts with its base
    this.#unqueued(pull, () => this.#verbs.mergePullRequest(pull));
    this.#mergesContained();
  }

  /** Merges the open pull requests, drafts too, whose commits were all merged with another pull request. */
  #mergesContained(): void {
    for (const pull of this.pulls)
      if (isOpen(pull) && this.#isMerged(pull.headSha, pull.baseRef))
        this.#unqueued(pull, () => this.#verbs.mergePullRequest(pull));
  }

  /** Whether the branch has this commit: GitHub takes no pull request that would change nothing. */
  #isMerged(sha: string, branch: string): boolean {
    const { world } = this.#places.github;
    const repository = requireRepository(world, REPOSITORY);
    const tip = repository.branches.get(branch);
    return tip !== undefined && isAncestor(getObjects(world, repository), sha, tip);
  }

  #opens({ files, draft, from = "branch" }: Extract<OtherStep, { do: "opens" }>): void {
    if (this.pulls.length >= PULLS) return;
    const branch = `change-${this.pulls.length}`;
    const repository = from === "fork" ? FORK : REPOSITORY;
    this.#verbs.push({ repository, branch, files: { [fileOf(files, branch)]: this.#newText() } });
    const pull = this.#verbs.openPullRequest({
      repository: REPOSITORY,
      head: from === "fork" ? `${FORK_OWNER}:${branch}` : branch,
      title: "Change",
      draft,
    });
    this.heads.set(pull.number, [pull.headSha]);
  }

  #pushes(pull: SandboxPull, how: "pushes" | "forcePushes"): void {
    const { headRef: branch, number } = pull;
    const infra = { repository: REPOSITORY, ref: pull.headSha, path: fileOf("infra", branch) };
    const path = fileOf(this.#verbs.fileText(infra) === null ? "docs" : "infra", branch);
    const spec = { repository: homeOf(pull), branch, files: { [path]: this.#newText() } };
    const { after } = how === "pushes" ? this.#verbs.push(spec) : this.#verbs.forcePush(spec);
    this.heads.get(number)?.push(after);
  }

  #joins(pull: SandboxPull): void {
    const { number, headSha, baseRef, headRef: branch } = pull;
    const other = this.pulls.find((one) => one.number !== number);
    if (other === undefined || other.headSha === headSha || this.#isMerged(other.headSha, baseRef)) return;
    this.#verbs.moveBranch({ repository: homeOf(pull), branch, sha: other.headSha });
    this.heads.get(number)?.push(other.headSha);
  }

  #newText(): string {
    this.#commits += 1;
    return `${this.#commits}\n`;
  }

  #plans({ number }: SandboxPull, { commit, workspace }: Extract<PullStep, { do: "plans" }>): void {
    const sha = this.#headOf(number, commit);
    if (sha !== undefined) this.#pipelines.begins(sha, { workspace });
  }

  /** False: no group waits. */
  #plansGroup({ workspace }: { readonly workspace: string }): boolean {
    const [group] = this.queue.groups;
    if (group !== undefined) this.#pipelines.begins(group.headSha, { workspace });
    return group !== undefined;
  }

  #approves(pull: SandboxPull, { by, upTo, head }: Extract<PullStep, { do: "approves" }>): void {
    const sha = this.#headOf(pull.number, head);
    const file = { repository: REPOSITORY, ref: pull.baseRef, path: ".github/tollgate.yml" };
    const until = this.#verbs.fileText(file) === POLICIES.temporary ? " until 2026-03-02" : "";
    if (sha !== undefined)
      this.#conversation.writes(pull, by, `/tollgate approve ${sha} up to ${upTo} USD${until} load test`);
  }

  overrides(pull: SandboxPull, by: string, sha: string | undefined): void {
    if (sha === undefined) return;
    const { id } = this.#conversation.writes(pull, by, `/tollgate override ${sha} outage`);
    this.overridePlaces.writes(id, pull, sha);
  }

  #headOf(number: number, which: "head" | "before"): string | undefined {
    return this.heads.get(number)?.at(which === "head" ? -1 : -2);
  }

  #editsPolicy(branch: string, policy: PolicyName): void {
    const files = { ".github/tollgate.yml": POLICIES[policy], CODEOWNERS: getCodeOwners(policy) };
    this.#verbs.push({ repository: REPOSITORY, branch, files });
  }
}

/** The repository of its branch. */
const homeOf = ({ headRepositoryId, repositoryId }: SandboxPull): string =>
  headRepositoryId === repositoryId ? REPOSITORY : FORK;

const fileOf = (files: "infra" | "docs", branch: string): string =>
  files === "infra" ? `infra/${branch}.tf` : `notes/${branch}.md`;
