import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { joins } from "./conversation.ts";

const policy = (mode: string) => `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
comment: { mode: ${mode} }
`;
const MINUTE = 60_000;
const FORGED = "### Approved by bot\n\nEverything is fine.";

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: policy("update") });
  joins(world);
  world.github.createBot("meddler");
});
afterAll(() => world.ends());

type Pull = ReturnType<World["opensPullRequest"]>;

async function opened(mode: string, cost = EXPENSIVE): Promise<Pull> {
  const base = `as-${mode}-${world.github.requests.count()}`;
  world.github.push({
    repository: REPOSITORY,
    branch: base,
    files: { ".github/tollgate.yml": policy(mode) },
  });
  await world.settles();
  const pull = world.opensPullRequest({ base, branch: `to-${base}` });
  await world.plans(pull, cost);
  return pull;
}

const own = (pull: Pull) => world.github.comments(pull).filter(({ appId }) => appId === world.appId);
const requests = (method: string) =>
  world.github.requests
    .list()
    .filter((request) => request.method === method && /\/comments(\/\d+)?$/.test(request.path)).length;

const gateOf = (pull: Pull) => world.gate(world.github.pullRequest(pull), `tollgate: ${pull.baseRef}`);
const summaryOf = (pull: Pull): string => world.checkOf(world.github.pullRequest(pull)).output.summary;

async function passes(ms: number): Promise<void> {
  await world.timePasses(ms);
  await world.bot.sweep();
  await world.settles();
}

async function edited(pull: Pull, by: string, at = -1): Promise<void> {
  const comment = own(pull).at(at);
  world.github.editComment(comment?.id ?? 0, { body: FORGED, by });
  await world.settles();
}

describe.each(["update", "new", "hide-and-new", "delete-and-new"])("in the mode %s", (mode) => {
  it("a comment of ours that a maintainer edits says at once again what it said", async () => {
    const pull = await opened(mode);
    const before = own(pull).map(({ id, body }) => [id, body]);
    world.github.requests.clear();
    await edited(pull, "olga");
    expect(own(pull).map(({ id, body }) => [id, body])).toEqual(before);
    expect({ reads: requests("GET"), writes: requests("PATCH") }).toEqual({ reads: 1, writes: 1 });
  });

  it("a comment of ours that was edited and then deleted is there again", async () => {
    const pull = await opened(mode);
    const before = own(pull).map(({ body }) => body);
    const [comment] = own(pull);
    world.github.editComment(comment?.id ?? 0, { body: FORGED, by: "olga" });
    world.github.deleteComment(comment?.id ?? 0, "olga");
    await world.settles();
    expect(own(pull).map(({ body }) => body)).toEqual(before);
  });

  it("what waits says so over forged words", async () => {
    const pull = await opened(mode);
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/w.tf": "#\n" } });
    await world.settles();
    await edited(pull, "olga");
    expect(own(pull).map(({ body }) => body)).not.toContain(FORGED);
    await world.plans(world.github.pullRequest(pull), EXPENSIVE);
    expect(own(pull).map(({ body }) => body)).not.toContain(FORGED);
  });
});

it("an earlier comment, whose text is not stored, goes when somebody forges it", async () => {
  const pull = await opened("new", CHEAP);
  world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/x.tf": "#\n" } });
  await world.settles();
  await world.plans(world.github.pullRequest(pull), EXPENSIVE);
  expect(own(pull)).toHaveLength(2);
  await edited(pull, "olga", 0);
  expect(own(pull)).toHaveLength(1);
  expect(own(pull)[0]?.body).not.toBe(FORGED);
});

it("an answer gets its words back", async () => {
  const pull = await opened("update");
  world.github.addComment(pull, { body: "/tollgate help", by: "olga" });
  await world.settles();
  const before = own(pull).map(({ body }) => body);
  expect(before).toHaveLength(2);
  await edited(pull, "olga");
  expect(own(pull).map(({ body }) => body)).toEqual(before);
});

it("another App that edits on and on is answered ten times within an hour; the check says so, until the comment is restored after it", async () => {
  const pull = await opened("update");
  const [before] = own(pull);
  world.github.requests.clear();
  for (let round = 0; round < 15; round += 1) await edited(pull, "meddler[bot]");
  expect(requests("PATCH")).toBe(10);
  expect(own(pull)[0]?.body).toBe(FORGED);
  expect([gateOf(pull), summaryOf(pull)]).toEqual(["failure", expect.stringContaining("changed by others")]);
  await passes(40 * MINUTE);
  expect(own(pull)[0]?.body).toBe(FORGED);
  await passes(25 * MINUTE);
  expect(own(pull)).toEqual([expect.objectContaining({ id: before?.id, body: before?.body })]);
  expect(summaryOf(pull)).not.toContain("changed by others");
});

it("a comment that others change again and again is written over by the next evaluation", async () => {
  const pull = await opened("update");
  const [before] = own(pull);
  for (let round = 0; round < 12; round += 1) await edited(pull, "meddler[bot]");
  world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/y.tf": "#\n" } });
  await world.plans(world.github.pullRequest(pull), EXPENSIVE);
  expect(own(pull)).toHaveLength(1);
  expect(own(pull)[0]?.body).not.toBe(FORGED);
  expect(own(pull)[0]?.id).toBe(before?.id);
});

describe("where GitHub's delivery was lost", () => {
  const MEDDLING = {
    "edited the report": (pull: Pull) => {
      world.github.editComment(own(pull)[0]?.id ?? 0, { body: FORGED, by: "olga" });
    },
    "deleted the report": (pull: Pull) => world.github.deleteComment(own(pull)[0]?.id ?? 0, "olga"),
    "edited an answer": (pull: Pull) => {
      world.github.editComment(own(pull)[1]?.id ?? 0, { body: FORGED, by: "olga" });
    },
  };
  const FINDERS = {
    "by the sweep": () => passes(31 * MINUTE),
    "by the button of the check": async (pull: Pull) => {
      world.github.requestCheckAction({
        checkRunId: world.checkOf(pull).id,
        identifier: "recheck",
        by: "olga",
      });
      await world.settles();
    },
    "by /tollgate recheck": async (pull: Pull) => {
      world.github.addComment(pull, { body: "/tollgate recheck", by: "olga" });
      await world.settles();
    },
  };
  it.each(
    Object.entries(MEDDLING).flatMap(([what, meddles]) =>
      Object.entries(FINDERS).map(([how, finds]) => ({ what, how, meddles, finds })),
    ),
  )("what somebody did who $what is taken back $how", async ({ meddles, finds }) => {
    const pull = await opened("update");
    world.github.addComment(pull, { body: "/tollgate help", by: "olga" });
    await world.settles();
    const before = own(pull).map(({ body }) => body);
    expect(before).toHaveLength(2);
    world.github.deliveries.drop({ event: "issue_comment" }, 1);
    meddles(pull);
    await world.settles();
    await finds(pull);
    expect(
      own(pull)
        .map(({ body }) => body)
        .toSorted(),
    ).toEqual(before.toSorted());
  });
});

it("a comment that says what it said costs the sweep one read and no write", async () => {
  const alone = await createWorld({ policy: policy("update") });
  await alone.opensPlanned(EXPENSIVE);
  alone.github.requests.clear();
  await alone.timePasses(31 * MINUTE);
  await alone.bot.sweep();
  await alone.settles();
  const aboutComments = alone.github.requests.list({ path: /\/comments/ });
  await alone.ends();
  expect(aboutComments.map(({ method }) => method)).toEqual(["GET"]);
});

it("a restore that GitHub refuses once is made up for at once, and the report does not wait for it", async () => {
  const pull = await opened("update");
  world.github.addComment(pull, { body: "/tollgate help", by: "olga" });
  await world.settles();
  const [report, answer] = own(pull);
  const match = { method: "PATCH", path: new RegExp(`/issues/comments/${answer?.id}$`) };
  world.github.faults.add({ kind: "status", status: 404, match });
  world.github.editComment(answer?.id ?? 0, { body: FORGED, by: "olga" });
  world.github.editComment(report?.id ?? 0, { body: FORGED, by: "olga" });
  await world.settles();
  expect(own(pull).map(({ body }) => body)).toEqual([report?.body, answer?.body]);
});

it("our own writing, and what people do to their own comments, asks for no restoration", async () => {
  const pull = await opened("update");
  const { id } = world.github.addComment(pull, { body: "hello", by: "olga" });
  await world.settles();
  world.github.requests.clear();
  world.github.editComment(id, { body: "hello there", by: "olga" });
  world.github.deleteComment(id, "olga");
  await world.settles();
  expect(world.github.requests.list()).toEqual([]);
});
