import type { OverrideCommand } from "../../src/github/commands/read-command.ts";
import type { Approvals, Override } from "../../src/policy/model/approval.ts";
import type { Situation } from "../../src/policy/model/situation.ts";
import type { Core } from "./core.ts";
import { loadedPolicy } from "./expected-evaluation.ts";
import type { Comment, Moment } from "./world.ts";

interface StoredOverride {
  readonly override: Override;
  isOver: boolean;
}

/** What the check says without an override. */
interface UnoverriddenCheck {
  readonly situation: Situation;
  readonly approvals: Approvals;
}

/** The overrides that the App remembers. */
export class Overrides {
  readonly #core: Core;
  readonly #kept: StoredOverride[] = [];
  /** When the head that stands was first evaluated into its base branch under its policy. */
  #first: { readonly place: string; readonly atMs: number } | null = null;
  /** The comments at whose time the check was held back. */
  readonly heldAt = new Set<number>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** A head was evaluated. */
  sees(now: Moment, atMs: number): void {
    const place = placeOf(now);
    if (this.#first?.place !== place) this.#first = { place, atMs };
  }

  give(
    { id, by, writtenMs }: Comment,
    command: OverrideCommand,
    now: Moment,
    check: UnoverriddenCheck,
  ): void {
    const isFirst = this.#inForce().length === 0;
    const hold = isFirst ? this.#core.determineHold(check.situation, check.approvals) : "not_held";
    if (hold === "held") this.heldAt.add(id);
    const person = { id: by, login: `user${by}` };
    const { sha, reason } = command;
    const evaluatedMs = this.#first?.place === placeOf(now) ? this.#first.atMs : null;
    const given = this.#core.giveOverride(
      { id: `comment:${id}`, person, sha, reason, createdMs: writtenMs, givenMs: id },
      { ...groundOf(now), evaluatedMs, hold, isNamed: now.teams.security.has(by) },
    );
    if (given.state === "given") this.#kept.push({ override: given.override, isOver: false });
  }

  end(which: (override: Override) => boolean): void {
    for (const kept of this.#kept.filter(({ override }) => which(override))) kept.isOver = true;
  }

  /** The override that counts for what is there now; null: none. */
  recheck(now: Moment): Override | null {
    const ended = this.#inForce().filter((override) => !this.#counts(override, now));
    this.end((override) => ended.includes(override));
    return this.#inForce()[0] ?? null;
  }

  #counts(override: Override, now: Moment): boolean {
    const isNamed = now.teams.security.has(override.person.id);
    return isNamed && this.#core.findOverrideEnd(override, groundOf(now)) === null;
  }

  #inForce(): readonly Override[] {
    return this.#kept.filter(({ isOver }) => !isOver).map(({ override }) => override);
  }
}

const groundOf = ({ head, base, policy, contributors }: Moment) => ({
  headSha: head,
  baseRef: base,
  policy: loadedPolicy(base, policy),
  contributors,
});

/** What an override counts for, as one text. */
const placeOf = ({ head, base, policy }: Moment): string => `${head} ${base} ${policy}`;
