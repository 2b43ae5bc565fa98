import { afterAll, beforeAll, expect, it } from "vitest";
import { buildNodeId } from "../../src/sandbox/state/node-id.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const MODES = ["update", "hide-and-new", "delete-and-new"] as const;
const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT });
  for (const mode of MODES) {
    const files = { ".github/tollgate.yml": `${STRICT}comment: { mode: ${mode} }\n` };
    world.github.push({ repository: REPOSITORY, branch: mode, files });
  }
  await world.settles();
});
afterAll(() => world.ends());

type Pull = ReturnType<World["opensPullRequest"]>;

const own = (pull: Pull) => world.github.comments(pull).filter(({ appId }) => appId === world.appId);

/** What a pull request's conversation holds of ours: folded or not, and whether it tells the newest costs. */
const shown = (pull: Pull): readonly string[] =>
  own(pull).map(
    ({ body, minimised }) => `${minimised ?? "shown"}: ${body.includes("$500") ? "expensive" : "cheap"}`,
  );

/** What our check runs on the head show, the newest first. */
const checksOf = ({ headSha: sha }: Pull): readonly (string | null)[] =>
  world.github
    .checkRuns({ repository: REPOSITORY, sha, appId: world.appId })
    .map(({ conclusion, status }) => conclusion ?? status);

const gateOf = (pull: Pull) => world.gate(pull, `tollgate: ${pull.baseRef}`);
const summaryOf = (pull: Pull): string => world.checkOf(pull).output.summary;

/** A call about one pull request's comments, by what it is for; `begun`: there is a comment already. */
const STEPS: readonly {
  readonly step: string;
  readonly mode: (typeof MODES)[number];
  readonly begun: boolean;
  readonly match: (pull: Pull) => { method: string; path?: RegExp; body?: RegExp };
  readonly healed: readonly string[];
}[] = [
  {
    step: "list",
    mode: "update",
    begun: false,
    match: ({ number }) => ({ method: "GET", path: new RegExp(`/issues/${number}/comments\\?`) }),
    healed: ["shown: expensive"],
  },
  {
    step: "create",
    mode: "update",
    begun: false,
    match: ({ number }) => ({ method: "POST", path: new RegExp(`/issues/${number}/comments$`) }),
    healed: ["shown: expensive"],
  },
  { step: "update", mode: "update", begun: true, match: byId("PATCH"), healed: ["shown: expensive"] },
  {
    step: "delete",
    mode: "delete-and-new",
    begun: true,
    match: byId("DELETE"),
    healed: ["shown: expensive"],
  },
  {
    step: "look",
    mode: "hide-and-new",
    begun: true,
    match: byId("GET"),
    healed: ["outdated: cheap", "shown: expensive"],
  },
  {
    step: "minimise",
    mode: "hide-and-new",
    begun: true,
    match: (pull) => ({
      method: "POST",
      body: new RegExp(`minimizeComment.*${buildNodeId("IssueComment", own(pull)[0]?.id ?? 0)}`, "s"),
    }),
    healed: ["outdated: cheap", "shown: expensive"],
  },
];

function byId(method: string) {
  return (pull: Pull) => ({ method, path: new RegExp(`/issues/comments/${own(pull)[0]?.id}$`) });
}

async function allPlan(pulls: readonly Pull[], cost: typeof EXPENSIVE): Promise<void> {
  for (const { headSha: sha } of pulls) await world.ci.runs({ sha, cost, changes: [] });
  await world.settles();
}

/** Faults end, time passes, and the sweep comes by. */
async function healsAfter(ms: number): Promise<void> {
  world.github.faults.clear();
  await world.timePasses(ms);
  await world.bot.sweep();
  await world.settles();
}

it("what GitHub refuses without a reason, at any step, costs no comment: each is there once, minutes after it ends", {
  timeout: 120_000,
}, async () => {
  const answers = [
    { status: 404, message: "Not Found" },
    { status: 403, message: "Resource not accessible by integration" },
    { status: 422, message: "Validation Failed" },
  ];
  const cases = answers.flatMap((answer) =>
    STEPS.map((one) => ({ ...one, ...answer, pull: world.opensPullRequest({ base: one.mode }) })),
  );
  await world.settles();
  await allPlan(
    cases.flatMap(({ begun, pull }) => (begun ? [pull] : [])),
    CHEAP,
  );
  for (const { status, message, match, pull } of cases)
    world.github.faults.add({ kind: "status", status, message, match: match(pull), times: Infinity });
  await allPlan(
    cases.map(({ pull }) => pull),
    EXPENSIVE,
  );
  expect(cases.map(({ pull }) => gateOf(pull))).toEqual(cases.map(() => "failure"));
  await healsAfter(4 * MINUTE);
  const found = cases.map(({ step, status, pull }) => [status, step, shown(pull)]);
  expect(found).toEqual(cases.map(({ step, status, healed }) => [status, step, healed]));
});

it("what people decided, or GitHub's limits, is said on the check, which stands without a comment; half an hour after it ends the comment is there", {
  timeout: 120_000,
}, async () => {
  const answers = [
    [403, "Unable to create comment because issue is locked.", "its conversation is locked"],
    [403, "User is blocked", "Tollgate is blocked from commenting"],
    [403, "Interactions on this repository have been restricted", "GitHub restricts who may comment here"],
    [403, "Commenting is disabled on issues with more than 2500 comments", "comments are disabled here"],
    [403, "Repository was archived so is read-only.", "comments are disabled here"],
    [410, "Issues are disabled for this repo", "comments are disabled here"],
    [422, "Comment was submitted too quickly", "GitHub takes no more comments for now"],
    [422, "body is too long (maximum is 65536 characters)", "GitHub finds it too long"],
    [451, "Repository access blocked", "comments are disabled here"],
  ] as const;
  const cases = answers.map(([status, message, told]) => ({
    status,
    message,
    told,
    pull: world.opensPullRequest(),
  }));
  await world.settles();
  for (const { status, message, pull } of cases) {
    const match = { method: "POST", path: new RegExp(`/issues/${pull.number}/comments$`) };
    world.github.faults.add({ kind: "status", status, message, match, times: Infinity });
  }
  const pulls = cases.map(({ pull }) => pull);
  await allPlan(pulls, EXPENSIVE);
  expect(pulls.map(gateOf)).toEqual(pulls.map(() => "failure"));
  for (const { told, pull } of cases) expect(summaryOf(pull)).toContain(`missing or out of date:** ${told}.`);
  await healsAfter(31 * MINUTE);
  expect(pulls.map(shown)).toEqual(pulls.map(() => ["shown: expensive"]));
  for (const pull of pulls) expect(summaryOf(pull)).not.toContain("out of date");
});

it("a comment that GitHub finds too long is shortened at once", async () => {
  const pull = world.opensPullRequest();
  await world.settles();
  const match = { method: "POST", path: new RegExp(`/issues/${pull.number}/comments$`) };
  world.github.faults.add({ kind: "status", status: 422, message: "body is too long", match });
  await world.plans(pull, EXPENSIVE);
  expect(shown(pull)).toEqual(["shown: expensive"]);
});

it("an unlocked conversation gets its comment at once", async () => {
  const pull = world.opensPullRequest();
  await world.settles();
  world.github.lockConversation(pull);
  await world.plans(pull, CHEAP);
  expect([gateOf(pull), shown(pull)]).toEqual(["success", []]);
  expect(summaryOf(pull)).toContain("its conversation is locked");
  world.github.unlockConversation(pull);
  await world.settles();
  expect(shown(pull)).toEqual(["shown: cheap"]);
  expect(summaryOf(pull)).not.toContain("locked");
});

it.each([
  ["update", ["shown: expensive"]],
  ["delete-and-new", ["shown: expensive"]],
  ["hide-and-new", ["outdated: cheap", "outdated: cheap", "shown: expensive"]],
] as const)(
  "what GitHub creates late leaves one comment and one check, half a minute later, with comment mode %s",
  async (mode, left) => {
    for (const path of [/\/check-runs$/, /\/issues\/\d+\/comments$/])
      world.github.faults.add({ kind: "late", ms: 3_000, match: { method: "POST", path } });
    const pull = world.opensPullRequest({ base: mode });
    await world.plans(pull, CHEAP);
    await eventually(() => expect([own(pull).length, checksOf(pull).length]).toEqual([2, 2]));
    await world.plans(pull, EXPENSIVE);
    await world.timePasses(31_000);
    await eventually(() => expect(shown(pull)).toEqual(left));
    expect(checksOf(pull)).toEqual(["failure", "success"]);
  },
);
