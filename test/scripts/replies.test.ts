import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { joins } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const MINUTE = 60_000;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: STRICT });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;

/** What came of a command: the reactions to it, and our comments beside the report. */
const came = (pull: Pull, id: number) => ({
  reactions: world.github.reactions(id).map(({ content }) => content),
  answers: world.comments(pull).filter((body) => !body.startsWith("###")).length,
});
const WHOLE = { reactions: ["eyes"], answers: 1 };

const asks = (pull: Pull) => world.github.addComment(pull, { body: "/tollgate help", by: "olga" }).id;
const reactionTo = (id: number) => ({
  method: "POST",
  path: new RegExp(`/issues/comments/${id}/reactions$`),
});
const answerOn = ({ number }: Pull) => ({ method: "POST", path: new RegExp(`/issues/${number}/comments$`) });

async function sweeps(): Promise<void> {
  await world.timePasses(4 * MINUTE);
  await world.bot.sweep();
  await world.settles();
}

it("a report and a reply that GitHub goes on refusing are tried seldom: the report about twice an hour, the reply some hours long", async () => {
  const pull = world.opensPullRequest();
  await world.settles();
  const match = answerOn(pull);
  const refusal = { kind: "status", status: 403, message: "no", times: Infinity } as const;
  world.github.faults.add({ ...refusal, match });
  await world.plans(pull, CHEAP);
  const tries = () => world.github.requests.count(match);
  asks(pull);
  await world.settles();
  const passes = async (hours: number): Promise<number> => {
    const before = tries();
    for (let halves = 0; halves < 2 * hours; halves += 1) {
      await world.timePasses(31 * MINUTE);
      await world.bot.sweep();
      await world.settles();
    }
    return tries() - before;
  };
  expect(await passes(6)).toBeLessThanOrEqual(24); // each of the two at most twice an hour
  expect(await passes(1)).toBe(2); // the reply was given up
  world.github.faults.clear();
  await world.timePasses(31 * MINUTE);
  await world.bot.sweep();
  await world.settles();
  expect(world.comments(pull)).toHaveLength(1);
});

it("a reaction and an answer that GitHub refuses once are there at once, and those that it goes on refusing once it stops", async () => {
  const refusals = [
    { status: 404, message: "Not Found" },
    { status: 403, message: "Resource not accessible by integration" },
    { status: 422, message: "Validation Failed" },
  ].flatMap((answer) => [1, Infinity].map((times) => ({ kind: "status" as const, ...answer, times })));
  const commands: { readonly pull: Pull; readonly id: number; readonly lasts: boolean }[] = [];
  const pulls = refusals.map(() => world.opensPullRequest());
  await world.settles();
  world.github.deliveries.hold({ event: "issue_comment" });
  for (const [at, refusal] of refusals.entries()) {
    const pull = pulls[at] ?? expect.fail("a pull request for each");
    const id = asks(pull);
    for (const match of [reactionTo(id), answerOn(pull)]) world.github.faults.add({ ...refusal, match });
    commands.push({ pull, id, lasts: refusal.times === Infinity });
  }
  await world.github.deliveries.release();
  await world.settles();
  for (const { pull, id, lasts } of commands)
    expect(came(pull, id)).toEqual(lasts ? { reactions: [], answers: 0 } : WHOLE);
  world.github.faults.clear();
  await sweeps();
  for (const { pull, id } of commands) expect(came(pull, id)).toEqual(WHOLE);
});

it("an answer that was written is not written again where only its reaction was refused", async () => {
  const pull = await world.opensPlanned(CHEAP);
  world.github.deliveries.hold({ event: "issue_comment" });
  const id = asks(pull);
  const refusal = { kind: "status", status: 403, message: "no", times: Infinity } as const;
  world.github.faults.add({ ...refusal, match: reactionTo(id) });
  await world.github.deliveries.release();
  await world.settles();
  expect(came(pull, id)).toEqual({ reactions: [], answers: 1 });
  world.github.faults.clear();
  await sweeps();
  expect(came(pull, id)).toEqual(WHOLE);
});

it("an answer that GitHub creates late is there once, half a minute later", async () => {
  const pull = await world.opensPlanned(CHEAP);
  world.github.faults.add({ kind: "late", ms: 3_000, match: answerOn(pull) });
  const id = asks(pull);
  await world.settles();
  await world.timePasses(4_000);
  expect(came(pull, id).answers).toBe(2);
  await world.timePasses(31_000);
  expect(came(pull, id)).toEqual(WHOLE);
});

it("an answer that waited for its verdict for longer than refused answers are tried is not given up at its first refusal", async () => {
  const policy = STRICT.replace("100 USD }", "100 USD }, approve: { teams: [finops], reviews: true }");
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": policy } });
  const pull = world.opensPullRequest();
  world.github.convertToDraft(pull);
  await world.settles();
  world.github.review(pull, { by: "grace", state: "approved" });
  await world.timePasses(6 * 60 * MINUTE);
  const match = { ...answerOn(pull), body: /"body":"[^#]/ };
  world.github.faults.add({ kind: "status", status: 403, message: "no", times: Infinity, match });
  world.github.markReadyForReview(pull);
  await world.plans(pull, EXPENSIVE);
  expect([world.gate(pull), world.comments(pull).length]).toEqual(["action_required", 1]);
  world.github.faults.clear();
  await world.timePasses(31 * MINUTE);
  await world.bot.sweep();
  await world.settles();
  expect(world.comments(pull)).toHaveLength(2);
});
