/** A pull request on a GitHub as small as it can be: what people do to it, and deliveries that arrive when they arrive. */

const AUTHOR = 1;
export const PEOPLE = {
  author: AUTHOR,
  fin: 2,
  fin2: 3,
  committer: 4,
  sec: 5,
  both: 6,
  stranger: 9,
} as const;
export type Person = keyof typeof PEOPLE;
export const BASES = ["main", "release"] as const;
export type Base = (typeof BASES)[number];
export const TEAMS = ["finops", "security"] as const;
export type Team = (typeof TEAMS)[number];

/** What merging costs and destroys. Amounts are whole dollars (or euros) of increase; null: the cost is not known. */
export interface Facts {
  readonly workspaces: readonly string[];
  readonly increase: number | null;
  readonly currency: "USD" | "EUR";
  readonly deleted: readonly string[];
  readonly drifted: number;
  /** The tag of what the increase is for; `both`: half of it each. */
  readonly payer: Payer | "both";
}

/** Values of the tag, each with the team that may sign for it. */
export const PAYERS = { money: "finops", guard: "security" } as const satisfies Record<string, Team>;
export type Payer = keyof typeof PAYERS;

/** Dollars of increase by the value of the tag. */
export const sharesOf = ({ increase, payer }: Facts): readonly (readonly [Payer, number])[] =>
  payer === "both"
    ? [
        ["money", (increase ?? 0) / 2],
        ["guard", (increase ?? 0) / 2],
      ]
    : [[payer, increase ?? 0]];

export interface Comment {
  readonly id: number;
  readonly by: number;
  readonly body: string;
  readonly writtenMs: number;
}

/** Something of the pull request changed, or somebody wrote this comment. */
export type Delivery = "pull" | Comment;

/** Everything that can be seen of the pull request at one moment. */
export interface Moment {
  readonly head: string;
  readonly base: Base;
  /** Counts the changes of the base branch's policy. */
  readonly policy: number;
  readonly facts: Facts;
  readonly contributors: ReadonlySet<number>;
  readonly teams: Readonly<Record<Team, ReadonlySet<number>>>;
  /** Whose newest review requests changes. */
  readonly objectors: ReadonlySet<number>;
  /** Days since the beginning. */
  readonly day: number;
  /** Who owns the two changed files by the base branch's CODEOWNERS. */
  readonly owners: keyof typeof CODE_OWNERS;
}

/** Files of code owners, with the teams that own the files `a` and `b` between them; null: nobody can tell, or a file has no owner. */
export const CODE_OWNERS = {
  finops: { text: "* @acme/finops", teams: ["finops"] },
  security: { text: "* @acme/finops\n* @acme/security", teams: ["security"] },
  both: { text: "a @acme/finops\nb @acme/security", teams: ["finops", "security"] },
  partly: { text: "a @acme/finops", teams: null },
  invalid: { text: "* @acme/finops\n!b @acme/security", teams: null },
} as const satisfies Record<string, { readonly text: string; readonly teams: readonly Team[] | null }>;

export class World {
  now: Moment = {
    head: shaOf(0),
    base: "main",
    policy: 0,
    facts: { workspaces: ["prod"], increase: 0, currency: "USD", deleted: [], drifted: 0, payer: "money" },
    contributors: new Set([AUTHOR]),
    teams: { finops: new Set([2, 3, 6]), security: new Set([5, 6]) },
    objectors: new Set(),
    day: 0,
    owners: "finops",
  };
  readonly heads: string[] = [shaOf(0)];
  readonly comments = new Map<number, Comment>();
  readonly pending: Delivery[] = ["pull"];
  #nowMs = 0;

  /** A second later than the last time that was asked for: no two things happen in the same one. */
  nextMs(): number {
    this.#nowMs += 1_000;
    return this.#nowMs;
  }

  pushes(by: Person, facts: Facts): void {
    const head = shaOf(this.heads.length);
    this.heads.push(head);
    this.now = { ...this.now, head, facts, contributors: new Set([...this.now.contributors, PEOPLE[by]]) };
    this.pending.push("pull");
  }

  changes(what: Partial<Moment>): void {
    this.now = { ...this.now, ...what };
    this.pending.push("pull");
  }

  comments_(by: Person, body: string): void {
    const id = this.comments.size + 1;
    const comment = { id, by: PEOPLE[by], body, writtenMs: this.nextMs() };
    this.comments.set(id, comment);
    this.pending.push(comment);
  }
}

/** Ids whose first twelve digits are all alike, as whoever makes the commits can find them: a beginning names several heads. */
const shaOf = (index: number): string => `abcdef012345${index.toString(16).padStart(5, "0")}`.padEnd(40, "7");
