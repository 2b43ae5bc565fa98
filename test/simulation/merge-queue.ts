import { ApiRefusal } from "../../sandbox/api/call.ts";
import type { MergeGroup, SandboxPull } from "../../sandbox/state/records.ts";
import type { Surroundings } from "./places.ts";
import { shownOn } from "./shown-check.ts";

/** GitHub gives up a group after this time, in ms. */
const GIVES_UP_MS = 6 * 3_600_000;

export interface QueuedHead {
  readonly number: number;
  readonly headSha: string;
}

interface MadeGroup {
  readonly atMs: number;
  readonly heads: readonly string[];
  readonly behind: readonly number[];
}

/** GitHub's merge queue: pull requests wait in it in groups, each on the commits of the one before. */
export class MergeQueue {
  readonly #places: Surroundings;
  /** When each group was made, of which heads, and behind which groups, by its id. */
  readonly #made = new Map<number, MadeGroup>();

  constructor(places: Surroundings) {
    this.#places = places;
  }

  get #verbs() {
    return this.#places.github.verbs;
  }

  /** The groups that wait for their check, in order. */
  get groups(): readonly MergeGroup[] {
    return this.#places.github.world.mergeGroups.filter(({ destroyed }) => destroyed === null);
  }

  /** Queues the pull requests that may be queued and have the first one's base, as one group. */
  adds(pulls: readonly SandboxPull[]): void {
    const free = pulls.filter(({ state, draft, number }) => state === "open" && !draft && !this.#has(number));
    const queued = free.filter(({ baseRef }) => baseRef === free[0]?.baseRef);
    if (queued.length === 0) return;
    const behind = this.groups.map(({ id }) => id);
    try {
      const { id } = this.#verbs.addToMergeQueue(queued);
      const heads = queued.map(({ headSha }) => headSha);
      this.#made.set(id, { atMs: this.#places.time.now(), heads, behind });
      this.#places.time.passes(1_000); // no two commits of groups are made in the same second
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error; // they conflict
    }
  }

  /** What GitHub does next with the first group: it merges what passed, and removes what failed or is no longer as it was queued. */
  movesOn(appId: number): void {
    const [first] = this.groups;
    if (first === undefined) return;
    const branch = branchOf(first);
    const shown = shownOn({ github: this.#places.github, appId }, first.headSha, branch);
    const base = this.#places.github.world.repositories.require(first.repositoryId).branches.get(branch);
    if (base !== first.baseSha) this.#removes(first, "invalidated");
    else if (!this.isAsQueued(first) || shown === "failure") this.#removes(first, "dequeued");
    else if (shown === "success") this.#verbs.destroyMergeGroup(first.id, "merged");
  }

  /** Removes a pull request that is closed, merged, made a draft or retargeted. One that is pushed is removed when GitHub moves on. */
  leaves(number: number): void {
    const group = this.groups.find(({ numbers }) => numbers.includes(number));
    if (group !== undefined) this.#removes(group, "dequeued");
  }

  givesUp(): void {
    const nowMs = this.#places.time.now();
    for (const group of this.groups)
      if ((this.#made.get(group.id)?.atMs ?? 0) + GIVES_UP_MS < nowMs) this.#removes(group, "dequeued");
  }

  /** The group's pull requests as it merges them. */
  queued({ id, numbers }: MergeGroup): readonly QueuedHead[] {
    const heads = this.#made.get(id)?.heads ?? [];
    return numbers.map((number, index) => ({ number, headSha: heads[index] ?? "" }));
  }

  /** Whether the heads of the group's pull requests are those that its commits merge. */
  isAsQueued(group: MergeGroup): boolean {
    const { repositoryId } = group;
    return this.queued(group).every(
      ({ number, headSha }) => this.#verbs.pullRequest({ repositoryId, number }).headSha === headSha,
    );
  }

  /** The group and those before it, which GitHub merges with it. */
  upTo(group: MergeGroup): readonly MergeGroup[] {
    const ofBase = this.groups.filter(({ baseRef }) => baseRef === group.baseRef);
    return ofBase.slice(0, ofBase.indexOf(group) + 1);
  }

  /** Whether one that the group was made behind is merged. */
  isBehindMerged({ id }: MergeGroup): boolean {
    const behind = this.#made.get(id)?.behind ?? [];
    return this.#places.github.world.mergeGroups
      .filter(({ destroyed }) => destroyed === "merged")
      .some((merged) => behind.includes(merged.id));
  }

  #has(number: number): boolean {
    return this.groups.some(({ numbers }) => numbers.includes(number));
  }

  /** Removes a group and those behind it, because their commits contain it. */
  #removes(group: MergeGroup, reason: "dequeued" | "invalidated"): void {
    const { groups } = this;
    this.#verbs.destroyMergeGroup(group.id, reason);
    for (const behind of groups.slice(groups.indexOf(group) + 1))
      if (behind.baseRef === group.baseRef) this.#verbs.destroyMergeGroup(behind.id, "invalidated");
  }
}

/** The base branch of a group. */
export const branchOf = ({ baseRef }: MergeGroup): string => baseRef.replace("refs/heads/", "");
