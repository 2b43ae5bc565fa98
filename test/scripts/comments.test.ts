import { describe, expect, onTestFinished, test } from "vitest";
import { buildNodeId } from "../../sandbox/state/world.ts";
import { createSimulatedWorld, type SimulatedWorld as World } from "../simulation/simulated-world.ts";
import { joins } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

type Mode = "update" | "new" | "hide-and-new" | "delete-and-new";
const withMode = (mode: Mode) => `${STRICT}comment: { mode: ${mode} }\n`;
const MINUTE = 60_000;
const FORGED = "### Approved by bot\n\nEverything is fine.";

type Pull = ReturnType<World["opensPullRequest"]>;

async function opens(mode: Mode = "update"): Promise<World> {
  const world = await createSimulatedWorld({ policy: withMode(mode) });
  onTestFinished(() => world.ends());
  joins(world);
  return world;
}

const own = (world: World, pull: Pull) =>
  world.github.comments(pull).filter(({ appId }) => appId === world.appId);
const bodies = (world: World, pull: Pull) => own(world, pull).map(({ body }) => body);
const summaryOf = (world: World, pull: Pull): string => world.checkOf(pull).output.summary;

/** What a pull request's conversation holds of ours: folded or not, and whether it tells the newest costs. */
const shown = (world: World, pull: Pull): readonly string[] =>
  own(world, pull).map(
    ({ body, minimised }) => `${minimised ?? "shown"}: ${body.includes("$500") ? "expensive" : "cheap"}`,
  );

/** What our check runs on the head show, the newest first. */
const checksOf = (world: World, { headSha: sha }: Pull): readonly (string | null)[] =>
  world.github
    .checkRuns({ repository: REPOSITORY, sha, appId: world.appId })
    .map(({ conclusion, status }) => conclusion ?? status);

/** Time passes, and the sweep comes by. */
async function passes(world: World, ms: number): Promise<void> {
  await world.timePasses(ms);
  await world.bot.sweep();
  await world.settles();
}

/** Requests of a method for comments of a pull request. */
const requests = (world: World, method: string) =>
  world.github.requests
    .list()
    .filter((request) => request.method === method && /\/comments(\/\d+)?$/.test(request.path)).length;

async function says(world: World, pull: Pull, body: string): Promise<void> {
  world.github.addComment(pull, { body, by: "olga" });
  await world.settles();
}

describe("a comment of ours that others change", () => {
  const edits = (world: World, pull: Pull, by = "olga", at = -1) =>
    world.github.editComment(own(world, pull).at(at)?.id ?? 0, { body: FORGED, by });

  test.each(["update", "delete-and-new"] as const)(
    "says at once again what it said, in the mode %s",
    async (mode) => {
      const world = await opens(mode);
      const pull = await world.opensPlanned(EXPENSIVE);
      const before = own(world, pull).map(({ id, body }) => [id, body]);
      world.github.requests.clear();
      edits(world, pull);
      await world.settles();
      expect(own(world, pull).map(({ id, body }) => [id, body])).toEqual(before);
      expect(requests(world, "PATCH")).toBe(1);
      edits(world, pull);
      world.github.deleteComment(own(world, pull)[0]?.id ?? 0, "olga");
      await world.settles();
      expect(bodies(world, pull)).toEqual(before.map(([, body]) => body));
      world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/w.tf": "#\n" } });
      await world.settles();
      edits(world, pull);
      await world.settles();
      expect(bodies(world, pull)).not.toContain(FORGED); // though the pull request waits
    },
  );

  test("goes when it is an earlier one, whose text is not stored", async () => {
    const world = await opens("new");
    const pull = await world.opensPlanned(CHEAP);
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/x.tf": "#\n" } });
    await world.plans(world.github.pullRequest(pull), EXPENSIVE);
    expect(own(world, pull)).toHaveLength(2);
    edits(world, pull, "olga", 0);
    await world.settles();
    expect(shown(world, pull)).toEqual(["shown: expensive"]);
  });

  test("is restored a few times within an hour, and then by the next evaluation", async () => {
    const world = await opens();
    world.github.createBot("meddler");
    const pull = await world.opensPlanned(EXPENSIVE);
    const [before] = own(world, pull);
    world.github.requests.clear();
    for (let round = 0; round < 15; round += 1) {
      edits(world, pull, "meddler[bot]");
      await world.settles();
    }
    expect(requests(world, "PATCH")).toBe(6);
    expect(bodies(world, pull)).toEqual([FORGED]);
    expect(world.gate(pull)).toBe("failure");
    await passes(world, 31 * MINUTE);
    expect(own(world, pull)).toEqual([expect.objectContaining({ id: before?.id, body: before?.body })]);
    for (let round = 0; round < 12; round += 1) {
      edits(world, pull, "meddler[bot]");
      await world.settles();
    }
    expect(bodies(world, pull)).toEqual([FORGED]);
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/y.tf": "#\n" } });
    await world.plans(world.github.pullRequest(pull), EXPENSIVE);
    expect(shown(world, pull)).toEqual(["shown: expensive"]);
  });

  test("is restored by the next reply after it was restored too often within an hour", async () => {
    const world = await opens();
    const pull = await world.opensPlanned(EXPENSIVE);
    const before = bodies(world, pull);
    for (let round = 0; round < 7; round += 1) {
      await world.timePasses(MINUTE);
      edits(world, pull);
      await world.settles();
    }
    expect(bodies(world, pull)).toEqual([FORGED]);
    await says(world, pull, "/tollgate help");
    expect(bodies(world, pull)).toEqual([...before, expect.anything()]);
  });

  test.each([
    ["the sweep", (world: World) => passes(world, 31 * MINUTE)],
    [
      "the button of the check",
      async (world: World, pull: Pull) => {
        const checkRunId = world.checkOf(pull).id;
        world.github.requestCheckAction({ checkRunId, identifier: "recheck", by: "olga" });
        await world.settles();
      },
    ],
  ])("is found by %s where GitHub's delivery was lost", async (_how, finds) => {
    const world = await opens();
    const pulls: Pull[] = [];
    for (let count = 0; count < 3; count += 1) {
      const pull = await world.opensPlanned(EXPENSIVE);
      await says(world, pull, "/tollgate help");
      pulls.push(pull);
    }
    const before = pulls.map((pull) => bodies(world, pull));
    expect(before.map(({ length }) => length)).toEqual([2, 2, 2]);
    world.github.deliveries.drop({ event: "issue_comment" }, 3);
    const [edited, deleted, answered] = pulls.map((pull) => own(world, pull).map(({ id }) => id));
    world.github.editComment(edited?.[0] ?? 0, { body: FORGED, by: "olga" });
    world.github.deleteComment(deleted?.[0] ?? 0, "olga");
    world.github.editComment(answered?.[1] ?? 0, { body: FORGED, by: "olga" });
    await world.settles();
    for (const pull of pulls) await finds(world, pull);
    expect(pulls.map((pull) => bodies(world, pull).toSorted())).toEqual(before.map((all) => all.toSorted()));
  });

  test("is restored in spite of a single refusal of GitHub, and the report does not wait for an answer", async () => {
    const world = await opens();
    const pull = await world.opensPlanned(EXPENSIVE);
    await says(world, pull, "/tollgate help");
    const [report, answer] = own(world, pull);
    const before = bodies(world, pull);
    const match = { method: "PATCH", path: new RegExp(`/issues/comments/${answer?.id}$`) };
    world.github.faults.add({ kind: "status", status: 404, match });
    for (const comment of [answer, report])
      world.github.editComment(comment?.id ?? 0, { body: FORGED, by: "olga" });
    await world.settles();
    expect(bodies(world, pull)).toEqual(before);
  });

  test("is restored in spite of a refusal where GitHub's delivery was lost", async () => {
    const world = await opens();
    const pull = await world.opensPlanned(EXPENSIVE);
    const before = bodies(world, pull);
    world.github.deliveries.drop({ event: "issue_comment" }, 1);
    edits(world, pull);
    const match = { method: "PATCH", path: /\/issues\/comments\/\d+$/ };
    world.github.faults.add({ kind: "status", status: 422, match });
    await passes(world, 31 * MINUTE);
    expect(bodies(world, pull)).toEqual(before);
  });
});

test("our own writing, and what people do to their own comments, asks for no restoration", async () => {
  const world = await opens();
  const pull = await world.opensPlanned(EXPENSIVE);
  const { id } = world.github.addComment(pull, { body: "hello", by: "olga" });
  await world.settles();
  world.github.requests.clear();
  world.github.editComment(id, { body: "hello there", by: "olga" });
  world.github.deleteComment(id, "olga");
  await world.settles();
  expect(world.github.requests.list()).toEqual([]);
  await passes(world, 31 * MINUTE);
  const aboutComments = world.github.requests.list({ path: /\/comments/ });
  expect(aboutComments.map(({ method }) => method)).toEqual(["GET"]); // the sweep compares once
});

/** A call about one pull request's comments, by what it is for; `begun`: there is a comment already. */
interface Call {
  readonly step: string;
  readonly mode: Mode;
  readonly begun: boolean;
  readonly answer: { readonly status: number; readonly message: string };
  readonly match: (world: World, pull: Pull) => { method: string; path?: RegExp; body?: RegExp };
  readonly healed: readonly string[];
}

const NOT_FOUND = { status: 404, message: "Not Found" };
const FORBIDDEN = { status: 403, message: "Resource not accessible by integration" };
const INVALID = { status: 422, message: "Validation Failed" };
const one = ["shown: expensive"];
const byId = (method: string) => (world: World, pull: Pull) => ({
  method,
  path: new RegExp(`/issues/comments/${own(world, pull)[0]?.id}$`),
});
const CALLS: readonly Call[] = [
  {
    ...{ step: "list", mode: "update", begun: false, answer: NOT_FOUND, healed: one },
    match: (_, { number }) => ({ method: "GET", path: new RegExp(`/issues/${number}/comments\\?`) }),
  },
  {
    ...{ step: "create", mode: "update", begun: false, answer: FORBIDDEN, healed: one },
    match: (_, { number }) => ({ method: "POST", path: new RegExp(`/issues/${number}/comments$`) }),
  },
  { step: "update", mode: "update", begun: true, answer: INVALID, match: byId("PATCH"), healed: one },
  {
    step: "delete",
    mode: "delete-and-new",
    begun: true,
    answer: NOT_FOUND,
    match: byId("DELETE"),
    healed: one,
  },
  {
    ...{ step: "minimise", mode: "hide-and-new", begun: true, answer: INVALID },
    match: (world, pull) => ({
      method: "POST",
      body: new RegExp(`minimizeComment.*${buildNodeId("IssueComment", own(world, pull)[0]?.id ?? 0)}`, "s"),
    }),
    healed: ["outdated: cheap", "shown: expensive"],
  },
];

describe("what GitHub refuses without a reason costs no comment: it is there once, minutes after the fault ends", () => {
  test.each(CALLS)("$step, in the mode $mode", async ({ mode, begun, answer, match, healed }) => {
    const world = await opens(mode);
    const pull = world.opensPullRequest();
    if (begun) await world.plans(pull, CHEAP);
    await world.settles();
    world.github.faults.add({ kind: "status", ...answer, match: match(world, pull), times: Infinity });
    await world.plans(pull, EXPENSIVE);
    expect(world.gate(pull)).toBe("failure");
    expect(shown(world, pull)).not.toEqual(healed);
    world.github.faults.clear();
    await passes(world, 4 * MINUTE);
    expect(shown(world, pull)).toEqual(healed);
  });
});

test("what people decided is said on the check, which stands without a comment; half an hour after it ends the comment is there", async () => {
  const world = await opens();
  const pull = world.opensPullRequest();
  await world.settles();
  const match = { method: "POST", path: new RegExp(`/issues/${pull.number}/comments$`) };
  const blocked = { kind: "status", status: 403, message: "User is blocked" } as const;
  world.github.faults.add({ ...blocked, match, times: Infinity });
  await world.plans(pull, EXPENSIVE);
  expect(world.gate(pull)).toBe("failure");
  expect(summaryOf(world, pull)).toContain("missing or out of date:** Tollgate is blocked from commenting.");
  world.github.faults.clear();
  await passes(world, 31 * MINUTE);
  expect(shown(world, pull)).toEqual(["shown: expensive"]);
  expect(summaryOf(world, pull)).not.toContain("out of date");
});

test("a newer evaluation while the first comment is being created causes no second one", async () => {
  const world = await opens();
  const pull = world.opensPullRequest();
  await world.settles();
  const match = { method: "POST", path: new RegExp(`/issues/${pull.number}/comments$`) };
  world.github.faults.add({ kind: "delay", ms: 8_000, match });
  await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
  await world.goesOn(4_000);
  expect(world.github.faults.hits()).toBe(1);
  await world.ci.runs({ sha: pull.headSha, workspace: "staging", cost: EXPENSIVE, changes: [] });
  await world.settles();
  expect(shown(world, pull)).toEqual(["shown: expensive"]);
  expect(requests(world, "POST")).toBe(1);
});

test("an unlocked conversation gets its comment at once", async () => {
  const world = await opens();
  const pull = world.opensPullRequest();
  await world.settles();
  world.github.lockConversation(pull);
  await world.plans(pull, CHEAP);
  expect([world.gate(pull), shown(world, pull)]).toEqual(["success", []]);
  expect(summaryOf(world, pull)).toContain("its conversation is locked");
  world.github.unlockConversation(pull);
  await world.settles();
  expect(shown(world, pull)).toEqual(["shown: cheap"]);
  expect(summaryOf(world, pull)).not.toContain("locked");
});

test("a comment that GitHub finds too long is shortened at once", async () => {
  const world = await opens();
  const pull = world.opensPullRequest();
  await world.settles();
  const match = { method: "POST", path: new RegExp(`/issues/${pull.number}/comments$`) };
  world.github.faults.add({ kind: "status", status: 422, message: "body is too long", match });
  await world.plans(pull, EXPENSIVE);
  expect(shown(world, pull)).toEqual(["shown: expensive"]);
});

test.each([
  ["update", ["shown: expensive"]],
  ["delete-and-new", ["shown: expensive"]],
  ["hide-and-new", ["outdated: cheap", "outdated: cheap", "shown: expensive"]],
] as const)(
  "what GitHub creates late leaves one comment and one check, half a minute later, in the mode %s",
  async (mode, left) => {
    const world = await opens(mode);
    for (const path of [/\/check-runs$/, /\/issues\/\d+\/comments$/])
      world.github.faults.add({ kind: "late", ms: 3_000, match: { method: "POST", path } });
    const pull = await world.opensPlanned(CHEAP);
    await world.timePasses(3_000);
    expect([own(world, pull).length, checksOf(world, pull).length]).toEqual([2, 2]);
    await world.plans(pull, EXPENSIVE);
    await world.timePasses(31_000);
    await world.settles();
    expect(shown(world, pull)).toEqual(left);
    expect(checksOf(world, pull)).toEqual(["failure", "success"]);
  },
);
