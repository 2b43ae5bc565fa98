import { afterAll, beforeAll, expect, it } from "vitest";
import { CHEAP, STRICT } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";
import { joins } from "./conversation.ts";

const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT });
  joins(world);
});
afterAll(() => world.ends());

type Pull = ReturnType<World["opensPullRequest"]>;

/** What came of a command: the reactions to it, and our comments beside the report. */
const came = (pull: Pull, id: number) => ({
  reactions: world.github.reactions(id).map(({ content }) => content),
  answers: world.comments(pull).filter((body) => !body.startsWith("###")).length,
});
const WHOLE = { reactions: ["eyes"], answers: 1 };

const ANSWERS = [
  { status: 404, message: "Not Found" },
  { status: 403, message: "Resource not accessible by integration" },
  { status: 422, message: "Validation Failed" },
];

it.each(ANSWERS)(
  "a $status to a reaction and to an answer costs neither, whether it is single or lasts",
  {
    timeout: 60_000,
  },
  async (answer) => {
    const [single, lasting] = [await world.opensPlanned(CHEAP), await world.opensPlanned(CHEAP)];
    const asks = (pull: Pull) => world.github.addComment(pull, { body: "/tollgate help", by: "olga" }).id;
    const matches = ({ number }: Pull, id: number) =>
      [`/issues/comments/${id}/reactions$`, `/issues/${number}/comments$`].map((path) => ({
        method: "POST",
        path: new RegExp(path),
      }));
    world.github.deliveries.hold({ event: "issue_comment" });
    const [singleId, lastingId] = [asks(single), asks(lasting)];
    for (const match of matches(single, singleId))
      world.github.faults.add({ kind: "status", ...answer, match });
    for (const match of matches(lasting, lastingId))
      world.github.faults.add({ kind: "status", ...answer, match, times: Infinity });
    await world.github.deliveries.release();
    await world.settles();
    expect(came(single, singleId)).toEqual(WHOLE);
    expect(came(lasting, lastingId)).toEqual({ reactions: [], answers: 0 });
    world.github.faults.clear();
    await world.timePasses(4 * MINUTE);
    await world.bot.sweep();
    await world.settles();
    expect(came(lasting, lastingId)).toEqual(WHOLE);
  },
);

it("an answer that was written is not written again where only its reaction was refused", {
  timeout: 60_000,
}, async () => {
  const pull = await world.opensPlanned(CHEAP);
  world.github.deliveries.hold({ event: "issue_comment" });
  const { id } = world.github.addComment(pull, { body: "/tollgate help", by: "olga" });
  const match = { method: "POST", path: new RegExp(`/issues/comments/${id}/reactions$`) };
  world.github.faults.add({ kind: "status", status: 403, message: "no", match, times: Infinity });
  await world.github.deliveries.release();
  await world.settles();
  expect(came(pull, id)).toEqual({ reactions: [], answers: 1 });
  world.github.faults.clear();
  await world.timePasses(4 * MINUTE);
  await world.bot.sweep();
  await world.settles();
  expect(came(pull, id)).toEqual(WHOLE);
});

it("an answer that GitHub creates late is there once, half a minute later", async () => {
  const pull = await world.opensPlanned(CHEAP);
  const match = { method: "POST", path: new RegExp(`/issues/${pull.number}/comments$`) };
  world.github.faults.add({ kind: "late", ms: 3_000, match });
  const { id } = world.github.addComment(pull, { body: "/tollgate help", by: "olga" });
  await eventually(() => expect(came(pull, id).answers).toBe(2));
  await world.timePasses(31_000);
  await eventually(() => expect(came(pull, id)).toEqual(WHOLE));
  expect(world.comments(pull)).toHaveLength(2);
});

it("a report and a reply that GitHub goes on refusing are tried seldom: the report about twice an hour, the reply some hours long", {
  timeout: 120_000,
}, async () => {
  const alone = await createWorld({ policy: STRICT });
  joins(alone);
  const pull = alone.opensPullRequest();
  await alone.settles();
  const path = new RegExp(`/issues/${pull.number}/comments$`);
  alone.github.faults.add({
    kind: "status",
    status: 403,
    message: "no",
    match: { method: "POST", path },
    times: Infinity,
  });
  alone.github.deliveries.hold({ event: "issue_comment" });
  await alone.plans(pull, CHEAP);
  const tries = () => alone.github.requests.count({ method: "POST", path });
  expect(tries()).toBe(3);
  alone.github.addComment(pull, { body: "/tollgate help", by: "olga" });
  await alone.github.deliveries.release();
  await alone.settles();
  const passes = async (hours: number): Promise<number> => {
    const before = tries();
    for (let halves = 0; halves < 2 * hours; halves += 1) {
      await alone.timePasses(31 * MINUTE);
      await alone.bot.sweep();
      await alone.settles();
    }
    return tries() - before;
  };
  expect(await passes(6)).toBeLessThanOrEqual(24); // each of the two at most twice an hour
  expect(await passes(1)).toBe(2); // the reply was given up
  alone.github.faults.clear();
  await alone.timePasses(31 * MINUTE);
  await alone.bot.sweep();
  await alone.settles();
  expect(alone.comments(pull)).toHaveLength(1);
  await alone.ends();
});
