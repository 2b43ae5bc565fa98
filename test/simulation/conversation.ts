import type { PullKey } from "../../src/kernel/ids.ts";
import type { Surroundings } from "./places.ts";

/** Who comments, and what happens to comments. */
export class Conversation {
  readonly #places: Surroundings;

  constructor(places: Surroundings) {
    this.#places = places;
  }

  writes(pull: PullKey, by: string, body: string): void {
    this.#places.github.verbs.addComment(pull, { by, body });
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

  #find(which: number) {
    const people = this.#places.github.world.comments.filter(({ appId }) => appId === null);
    return people[which % Math.max(1, people.length)] ?? null;
  }
}
