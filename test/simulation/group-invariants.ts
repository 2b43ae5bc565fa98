import type { MergeGroup, SandboxPull } from "../../sandbox/state/records.ts";
import { BrokenInvariant } from "./broken-invariant.ts";
import { branchOf } from "./merge-queue.ts";
import { groupStatesAtRest } from "./oracle/merge-group.ts";
import { policyTextOf } from "./oracle/policy.ts";
import { mayPassAlone, mayPassByItself } from "./oracle/pull-request.ts";
import { allShownOn, isPassing, shownOn } from "./shown-check.ts";
import { LAG_MS } from "./simulated-github.ts";
import type { Story } from "./story.ts";

/** Watches the checks of merge groups. */
export class GroupInvariants {
  readonly #story: Story;
  /** The policies of each base branch, with the time since when. */
  readonly #policies = new Map<string, { readonly fromMs: number; readonly text: string }[]>();
  /** Every combination of pull request, head, base and policy that was ever allowed to pass: by itself, and alone in its group. */
  readonly #allowed = { byItself: new Set<string>(), alone: new Set<string>() };
  /** By group and name of the check. */
  readonly #shown = new Map<string, string>();

  constructor(story: Story) {
    this.#story = story;
  }

  /** After each thing that people, the CI or the platform did. */
  observe(): void {
    const fromMs = this.#story.scheduler.time.now();
    for (const pull of this.#story.actors.pulls) {
      if (pull.state !== "open") continue;
      const text = policyTextOf(this.#story, pull.baseRef);
      const policies = this.#policies.get(pull.baseRef) ?? [];
      this.#policies.set(pull.baseRef, policies);
      if (policies.length === 0 || policies.at(-1)?.text !== text) policies.push({ fromMs, text });
      if (!pull.draft) this.#remembersAllowed(pull, text);
    }
  }

  #remembersAllowed(pull: SandboxPull, text: string): void {
    const { number, headSha, baseRef } = pull;
    const key = keyOf({ number, headSha, baseRef, text });
    if (mayPassByItself(this.#story, pull)) this.#allowed.byItself.add(key);
    if (mayPassAlone(this.#story, pull)) this.#allowed.alone.add(key);
  }

  /**
   * A group begins to pass only where each of its pull requests may have had a passing verdict: on the head that the group merges,
   * and under a policy that was in force since the group's evaluation began to read. Null: all is well.
   */
  findWrongPass(): string | null {
    for (const group of this.#story.actors.queue.groups) {
      if (!this.#beginsToPass(group)) continue;
      const texts = this.#policiesSince(branchOf(group), this.#runningSince(group) - LAG_MS);
      const queued = this.#story.actors.queue
        .upTo(group)
        .flatMap((one) => this.#story.actors.queue.queued(one));
      const allowed = queued.length === 1 ? this.#allowed.alone : this.#allowed.byItself;
      const isRight = texts.some((text) =>
        queued.every((head) => allowed.has(keyOf({ ...head, baseRef: branchOf(group), text }))),
      );
      if (!isRight) return `merge group ${describe(group)} passes, and not all in it ever might`;
    }
    return null;
  }

  /** After a request whose answer was given up. */
  remembersShown(): void {
    for (const group of this.#story.actors.queue.groups) this.#beginsToPass(group);
  }

  /**
   * What must hold when everything has come to rest. `isDisturbed`: the delivery that announced a group may be lost, and the
   * sweep may not have found the group yet.
   */
  check(isDisturbed: boolean): void {
    for (const group of this.#story.actors.queue.groups) {
      const states = groupStatesAtRest(this.#story, group);
      const shown = shownOn(this.#story, group.headSha, branchOf(group));
      if (states === null || (shown === null && isDisturbed)) continue;
      if (shown === null || !states.includes(shown))
        throw new BrokenInvariant(
          `merge group ${describe(group)}: its check is ${shown}, not ${states.join(" or ")}`,
        );
      this.#checkOtherNames(group, states);
    }
  }

  #checkOtherNames(group: MergeGroup, states: readonly string[]): void {
    for (const [name, other] of this.#allShown(group))
      if (isPassing(other) && !states.includes(other))
        throw new BrokenInvariant(`merge group ${describe(group)}: its check "${name}" is ${other}`);
  }

  #allShown(group: MergeGroup): ReadonlyMap<string, string> {
    return allShownOn(this.#story, group.headSha, branchOf(group));
  }

  /** Whether a check of the group passes now that did not before, under any name; it is remembered. */
  #beginsToPass(group: MergeGroup): boolean {
    const changed = [...this.#allShown(group)].filter(
      ([name, state]) => this.#shown.get(`${group.id} ${name}`) !== state,
    );
    for (const [name, state] of changed) this.#shown.set(`${group.id} ${name}`, state);
    return changed.some(([, state]) => isPassing(state));
  }

  #runningSince({ repositoryId, headSha }: MergeGroup): number {
    return this.#story.runningSince(`group:${repositoryId}:${headSha}`);
  }

  /** Whether the policy of a base branch was edited since then. */
  isPolicyEdited(baseRef: string, sinceMs: number): boolean {
    return this.#policiesSince(baseRef, sinceMs).length > 1;
  }

  #policiesSince(baseRef: string, sinceMs: number): readonly string[] {
    const policies = this.#policies.get(baseRef) ?? [];
    return policies.flatMap(({ text }, index) =>
      (policies[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) >= sinceMs ? [text] : [],
    );
  }
}

const describe = ({ numbers }: MergeGroup): string => numbers.map((number) => `#${number}`).join(", ");

interface PassingHead {
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  readonly text: string;
}
const keyOf = ({ number, headSha, baseRef, text }: PassingHead): string =>
  JSON.stringify([number, headSha, baseRef, text]);
