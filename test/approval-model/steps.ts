import fc from "fast-check";
import { DAY_MS } from "../../src/kernel/clock.ts";
import type { Bot } from "./bot.ts";
import {
  BASES,
  CODE_OWNERS,
  type Facts,
  type Moment,
  PEOPLE,
  type Person,
  TEAMS,
  type World,
} from "./world.ts";

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
  payer: fc.constantFrom<Facts["payer"]>("money", "money", "guard", "both"),
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
const rules = fc.constantFrom(
  ...often("", 7),
  " increase",
  " deletions",
  " increase deletions",
  " drift",
  " team",
  " owned",
);

const approval = fc
  .tuple(
    naming,
    rules,
    amount,
    fc.constantFrom(null, null, -1, 0, 1, 3),
    fc.constantFrom(...often(" load test", 7), ""),
  )
  .map(([how, named, limit, days, reason]) => (world: World): string => {
    const current = world.now.head;
    const earlier = world.heads.at(-2) ?? current;
    const sha =
      { full: current, twelve: current.slice(0, 12), seven: current.slice(0, 7), earlier }[how] ?? current;
    return `/tollgate approve ${sha}${named}${limit}${days === null ? "" : ` until ${dayOf(world.now.day + days)}`}${reason}`;
  });

const dayOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

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

const acts = <T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
  act: (value: T, world: World, bot: Bot) => void,
) => ({
  weight,
  arbitrary: arbitrary.map(
    (value): Step =>
      (world, bot) =>
        act(value, world, bot),
  ),
});

const command = fc.oneof({ weight: 5, arbitrary: approval }, { weight: 2, arbitrary: override });
const pusher = fc.constantFrom<Person>("author", "author", "author", "committer", "fin", "both");
const base = fc.constantFrom(...BASES);
const owners = Object.keys(CODE_OWNERS) as Moment["owners"][]; // its own keys

/** One step; comments and deliveries are the most frequent. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  acts(14, fc.tuple(approver, command, fc.nat(3), fc.nat(3)), ([by, body, first, later], world, bot) => {
    if (first > 0) settle(world, bot); // mostly, people read the verdict before they write
    world.comments_(by, body(world));
    if (later > 0) settle(world, bot);
  }),
  { weight: 6, arbitrary: fc.constant<Step>(settle) },
  { weight: 4, arbitrary: fc.constant<Step>(deliver) },
  acts(4, fc.tuple(pusher, facts), ([by, now], world) => world.pushes(by, now)),
  acts(6, facts, (now, world) => world.changes({ facts: now })),
  acts(1, person, (by, world) => world.comments_(by, "/tollgate revoke")),
  acts(1, base, (to, world) => world.changes({ base: to })),
  acts(1, base, (to, world, bot) => {
    for (const next of [to, world.now.base]) {
      world.changes({ base: next });
      settle(world, bot);
    }
  }),
  // Mostly, what was objected to is settled soon. GitHub lets nobody request changes to their own pull request.
  acts(1, fc.constantFrom<Person | null>(null, null, "fin", "sec", "stranger"), (by, world) =>
    world.changes({ objectors: new Set(by === null ? [] : [...world.now.objectors, PEOPLE[by]]) }),
  ),
  acts(2, fc.constantFrom(...owners), (by, world) => world.changes({ owners: by })),
  acts(2, fc.constantFrom(1, 2), (days, world) => world.changes({ day: world.now.day + days })),
  acts(1, fc.nat(2), (policy, world) => world.changes({ policy })),
  acts(1, fc.tuple(fc.constantFrom(...TEAMS), fc.constantFrom(2, 3, 5, 6)), ([team, gone], world) => {
    const members = new Set(world.now.teams[team]);
    members.delete(gone);
    world.changes({ teams: { ...world.now.teams, [team]: members } });
  }),
);
