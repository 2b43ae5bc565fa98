import type { SandboxComment, SandboxPull } from "../../sandbox/state/records.ts";
import type { PullKey } from "../../src/kernel/ids.ts";
import type { Surroundings } from "./places.ts";

interface WrittenReview {
  readonly state: "approved" | "changes_requested";
  /** Dollars a month. */
  readonly upTo: number;
}

/** Who comments, and what happens to comments. */
export class Conversation {
  readonly #places: Surroundings;

  constructor(places: Surroundings) {
    this.#places = places;
  }

  writes(pull: PullKey, by: string, body: string): SandboxComment {
    return this.#places.github.verbs.addComment(pull, { by, body });
  }

  /** GitHub lets nobody approve their own pull request, nor request changes to it. */
  reviews(pull: SandboxPull, by: string, { state, upTo }: WrittenReview): void {
    const { accounts } = this.#places.github.world;
    if (accounts.require(pull.authorId).login === by) return;
    this.#places.github.verbs.review(pull, { by, state, body: `up to ${upTo} USD` });
  }

  editsReview(which: number): void {
    const review = this.#findReview(which);
    if (review !== null) this.#places.github.verbs.editReview(review.id, `${review.body} (edited)`);
  }

  dismissesReview(which: number): void {
    const review = this.#findReview(which);
    if (review !== null) this.#places.github.verbs.dismissReview(review.id);
  }

  /** Somebody's own comment, of those that are no bot's. */
  edits(which: number): void {
    const comment = this.#find(which);
    if (comment !== null)
      this.#places.github.verbs.editComment(comment.id, { body: `${comment.body} (edited)` });
  }

  deletes(which: number): void {
    const comment = this.#find(which);
    if (comment !== null) this.#places.github.verbs.deleteComment(comment.id);
  }

  /** Somebody who may changes the bot's report. */
  spoils(pull: PullKey, appId: number, how: "edits" | "deletes"): void {
    const { verbs } = this.#places.github;
    const report = verbs.comments(pull).find((comment) => comment.appId === appId);
    if (report === undefined) return;
    if (how === "edits") verbs.editComment(report.id, { body: "All is well.", by: "mallory" });
    else verbs.deleteComment(report.id, "mallory");
  }

  #findReview(which: number) {
    const reviews = this.#places.github.world.reviews.all();
    return reviews[which % Math.max(1, reviews.length)] ?? null;
  }

  #find(which: number) {
    const people = this.#places.github.world.comments.filter(({ appId }) => appId === null);
    return people[which % Math.max(1, people.length)] ?? null;
  }
}
