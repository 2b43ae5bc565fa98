import fc from "fast-check";
import type { Bot } from "./bot.ts";
import { BASES, type Facts, PEOPLE, type Person, TEAMS, type World } from "./world.ts";

/** Something that somebody does, or that time brings. */
export type Step = (world: World, bot: Bot) => void;

function often<T>(value: T, times: number): readonly T[] {
  return Array.from({ length: times }, () => value);
}

const people = Object.keys(PEOPLE) as Person[]; // its own keys
const person = fc.constantFrom(...people);
const approver = fc.constantFrom<Person>(
  "fin",
  "fin2",
  "sec",
  "both",
  "both",
  "committer",
  "author",
  "stranger",
);

/** Mostly an increase that breaks the rule, or a deletion; now and then something that nobody can sign for. */
const facts: fc.Arbitrary<Facts> = fc.record({
  workspaces: fc.constantFrom(...often(["prod"], 7), ["prod", "dev"]),
  increase: fc.constantFrom(20, 55, 120, 120, 150, 150, 180, 190, 200, 200, null),
  currency: fc.constantFrom<Facts["currency"]>(...often<Facts["currency"]>("USD", 15), "EUR"),
  deleted: fc.constantFrom([], [], [], ["db.a"], ["db.a", "db.b"], ["db.b"]),
  drifted: fc.constantFrom(...often(0, 11), 1),
});

/** How the head is named: as it should be, too short, or another one. */
const naming = fc.constantFrom(...often("full", 8), "twelve", "seven", "earlier");
const amount = fc.constantFrom(
  "",
  " up to 120 USD",
  " up to 150 USD",
  ...often(" up to 200 USD", 5),
  " up to 900 EUR",
);
const rules = fc.constantFrom(...often("", 7), " increase", " deletions", " increase deletions", " drift");

const approval = fc
  .tuple(naming, rules, amount, fc.constantFrom(...often(" load test", 7), ""))
  .map(([how, named, limit, reason]) => (world: World): string => {
    const current = world.now.head;
    const earlier = world.heads.at(-2) ?? current;
    const sha =
      { full: current, twelve: current.slice(0, 12), seven: current.slice(0, 7), earlier }[how] ?? current;
    return `/tollgate approve ${sha}${named}${limit}${reason}`;
  });

const override = fc
  .tuple(naming, fc.constantFrom(...often(" on fire", 7), ""))
  .map(([how, reason]) => (world: World): string => {
    const current = world.now.head;
    const earlier = world.heads.at(-2) ?? current;
    const sha = { full: current, twelve: current.slice(0, 12), earlier }[how] ?? current.slice(0, 7);
    return `/tollgate override ${sha}${reason}`;
  });

const deliver: Step = (world, bot) => {
  const [next] = world.pending.splice(0, 1);
  if (next !== undefined) bot.takes(next);
};

/** Everything that waits arrives. */
export const settle: Step = (world, bot) => {
  while (world.pending.length > 0) deliver(world, bot);
};

const at = (index: number, world: World): number => 1 + (index % Math.max(1, world.comments.size));

/** One step; comments and deliveries are the most frequent. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc
      .tuple(
        approver,
        fc.oneof({ weight: 5, arbitrary: approval }, { weight: 2, arbitrary: override }),
        fc.nat(3),
        fc.nat(3),
      )
      .map(
        ([by, body, first, later]): Step =>
          (world, bot) => {
            if (first > 0) settle(world, bot); // mostly, people read the verdict before they write
            world.comments_(by, body(world));
            if (later > 0) settle(world, bot);
          },
      ),
  },
  { weight: 6, arbitrary: fc.constant<Step>(settle) },
  { weight: 4, arbitrary: fc.constant<Step>(deliver) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom<Person>("author", "author", "author", "committer", "fin", "both"), facts)
      .map(
        ([by, now]): Step =>
          (world) =>
            world.pushes(by, now),
      ),
  },
  {
    weight: 6,
    arbitrary: facts.map(
      (now): Step =>
        (world) =>
          world.changes({ facts: now }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(20), approval).map(
      ([index, body]): Step =>
        (world) =>
          world.edits(at(index, world), body(world)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(20).map(
      (index): Step =>
        (world) =>
          world.deletes(at(index, world)),
    ),
  },
  {
    weight: 1,
    arbitrary: person.map(
      (by): Step =>
        (world) =>
          world.comments_(by, "/tollgate revoke"),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...BASES).map(
      (base): Step =>
        (world) =>
          world.changes({ base }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...BASES).map(
      (base): Step =>
        (world, bot) => {
          const before = world.now.base;
          world.changes({ base });
          settle(world, bot);
          world.changes({ base: before });
          settle(world, bot);
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(2).map(
      (policy): Step =>
        (world) =>
          world.changes({ policy }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...TEAMS), fc.constantFrom(2, 3, 5, 6)).map(
      ([team, gone]): Step =>
        (world) => {
          const members = new Set(world.now.teams[team]);
          members.delete(gone);
          world.changes({ teams: { ...world.now.teams, [team]: members } });
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(9).map(
      (index): Step =>
        (world) => {
          // Deliveries overtake each other, and some come twice.
          const [moved] = world.pending.splice(index % Math.max(1, world.pending.length), 1);
          if (moved !== undefined) world.pending.unshift(moved, moved);
        },
    ),
  },
);
