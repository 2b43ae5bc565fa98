import type { SandboxPull } from "../../src/sandbox/state/pulls.ts";
import { policyTextOf } from "./oracle/policy.ts";
import type { Surroundings } from "./places.ts";

/**
 * The base branches and policies that each override command may count for: those that its pull request had with this head until it was
 * written. One that the bot has seen the pull request leave is over for good.
 */
export class OverridePlaces {
  readonly #places: Pick<Surroundings, "github">;
  /** Of each pull request with each head, so far. */
  readonly #seen = new Map<string, Set<string>>();
  /** By the comment's id. */
  readonly #possible = new Map<number, { readonly number: number; readonly places: ReadonlySet<string> }>();

  constructor(places: Pick<Surroundings, "github">) {
    this.#places = places;
  }

  /** After each thing that people did. */
  observe(pulls: readonly SandboxPull[]): void {
    for (const pull of pulls) {
      const key = `${pull.number} ${pull.headSha}`;
      this.#seen.set(key, (this.#seen.get(key) ?? new Set()).add(this.#placeOf(pull)));
    }
  }

  writes(commentId: number, pull: SandboxPull): void {
    this.observe([pull]);
    const places = new Set(this.#seen.get(`${pull.number} ${pull.headSha}`));
    this.#possible.set(commentId, { number: pull.number, places });
  }

  /** The bot has seen where each of these pull requests is now. */
  leaves(pulls: readonly SandboxPull[]): void {
    const now = new Map(pulls.map((pull) => [pull.number, this.#placeOf(pull)]));
    for (const [id, { number, places }] of this.#possible) {
      const place = now.get(number);
      if (place !== undefined)
        this.#possible.set(id, { number, places: new Set(places.has(place) ? [place] : []) });
    }
  }

  mayCount(commentId: number, pull: SandboxPull): boolean {
    return this.#possible.get(commentId)?.places.has(this.#placeOf(pull)) === true;
  }

  #placeOf({ baseRef }: SandboxPull): string {
    return `${baseRef} ${policyTextOf(this.#places, baseRef)}`;
  }
}
