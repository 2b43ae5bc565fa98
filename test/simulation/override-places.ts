import type { SandboxPull } from "../../sandbox/state/records.ts";
import { policyTextOf } from "./oracle/policy.ts";
import type { Surroundings } from "./places.ts";

interface WrittenOverride {
  readonly number: number;
  /** The commit that the command names. */
  readonly sha: string;
  /** The base branches and policies that it may count for. */
  readonly places: Set<string>;
  /** Whether the check was perhaps held back when the bot read the command. */
  wasHeld: boolean;
}

/**
 * What each override command may count for: the base branches and policies that its pull request had with the named head until it was
 * written. It ends permanently once the bot has seen the pull request with another head, base branch or policy. A command that the bot
 * has read while the check was not held back counts for nothing.
 */
export class OverridePlaces {
  readonly #places: Pick<Surroundings, "github">;
  /** Of each pull request with each head, so far. */
  readonly #seen = new Map<string, Set<string>>();
  /** By the comment's id. */
  readonly #written = new Map<number, WrittenOverride>();
  /** Pull requests whose check was perhaps held back at some time since everything had arrived. */
  #held = new Set<number>();

  constructor(places: Pick<Surroundings, "github">) {
    this.#places = places;
  }

  /** After each thing that people did. `held`: those of the open pull requests whose check is perhaps held back. */
  observe(open: readonly SandboxPull[], held: ReadonlySet<number>): void {
    for (const pull of open) {
      const key = `${pull.number} ${pull.headSha}`;
      this.#seen.set(key, (this.#seen.get(key) ?? new Set()).add(this.#placeOf(pull)));
    }
    this.#held = new Set([...this.#held, ...held]);
    for (const override of this.#written.values()) override.wasHeld ||= held.has(override.number);
  }

  writes(commentId: number, { number }: SandboxPull, sha: string): void {
    const places = new Set(this.#seen.get(`${number} ${sha}`));
    this.#written.set(commentId, { number, sha, places, wasHeld: this.#held.has(number) });
  }

  /** Everything has arrived: the bot has read all commands, and seen where each of the open pull requests is now. */
  settles(open: readonly SandboxPull[], held: ReadonlySet<number>): void {
    for (const { number, sha, places, wasHeld } of this.#written.values()) {
      const pull = open.find((one) => one.number === number);
      if (pull === undefined) continue; // a command waits until its pull request is reopened
      const isThere = wasHeld && pull.headSha === sha && places.has(this.#placeOf(pull));
      places.clear();
      if (isThere) places.add(this.#placeOf(pull));
    }
    this.#held = new Set(held);
  }

  mayCount(commentId: number, pull: SandboxPull): boolean {
    return this.#written.get(commentId)?.places.has(this.#placeOf(pull)) === true;
  }

  #placeOf({ baseRef }: SandboxPull): string {
    return `${baseRef} ${policyTextOf(this.#places, baseRef)}`;
  }
}
