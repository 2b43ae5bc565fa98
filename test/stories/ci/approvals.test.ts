import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxPull } from "../../../src/sandbox/state/pulls.ts";
import { type CiWorld, createCiWorld } from "../../world/ci-job.ts";
import { OWNER, REPOSITORY } from "../../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { permission: write, reviews: true } }
override: { permission: write }
`;

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(POLICY);
  world.github.createTeam({ organisation: OWNER, slug: "finops", members: ["grace", "heidi"] });
  for (const login of ["grace", "heidi"])
    world.github.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
});
afterAll(() => world.ends());

const approve = ({ headSha }: SandboxPull, words: string) => `/tollgate approve ${headSha} ${words}`;
const run = async (pull: SandboxPull, change = "500") => (await world.job(pull, { change })).results;
const answers = (pull: SandboxPull) =>
  world.github.comments(pull).filter(({ body }) => body.includes("<!-- tollgate answer"));

describe("approvals are read from the pull request at each job", () => {
  it("an approval opens the gate, still counts in the job after it, and ends when its comment is deleted", async () => {
    const pull = world.opens();
    expect(await run(pull)).toBe("tollgate: main: action_required");
    const comment = world.github.addComment(pull, {
      by: "grace",
      body: approve(pull, "up to 600 USD load test"),
    });
    expect(await run(pull)).toBe("tollgate: main: success");
    expect(world.github.reactions(comment.id).map(({ content }) => content)).toEqual(["+1"]);
    expect(await run(pull)).toBe("tollgate: main: success");
    expect(world.reports(pull)).toHaveLength(1);
    expect(world.reports(pull)[0]).toContain("grace");
    world.github.deleteComment(comment.id);
    expect(await run(pull)).toBe("tollgate: main: action_required");
  });

  it("a later comment revokes it, and an edited one never counts", async () => {
    const pull = world.opens();
    await run(pull);
    world.github.addComment(pull, { by: "grace", body: approve(pull, "up to 600 USD load test") });
    world.github.addComment(pull, { by: "grace", body: "/tollgate revoke" });
    expect(await run(pull)).toBe("tollgate: main: action_required");
    const edited = world.github.addComment(pull, { by: "heidi", body: "I look at it" });
    world.github.editComment(edited.id, { body: approve(pull, "up to 600 USD load test"), by: "heidi" });
    expect(await run(pull)).toBe("tollgate: main: action_required");
  });

  it("an approving review counts until it is dismissed", async () => {
    const pull = world.opens();
    await run(pull);
    const review = world.github.review(pull, { by: "heidi", state: "approved", body: "up to 600 USD" });
    expect(await run(pull)).toBe("tollgate: main: success");
    world.github.dismissReview(review.id);
    expect(await run(pull)).toBe("tollgate: main: action_required");
  });

  it("an approval of findings that nobody was shown does not count", async () => {
    const pull = world.opens();
    world.github.addComment(pull, { by: "grace", body: approve(pull, "up to 600 USD load test") });
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // GitHub's times are whole seconds
    expect(await run(pull)).toBe("tollgate: main: action_required");
  });

  it("a refused command is answered once, however many jobs follow", async () => {
    const pull = world.opens();
    await run(pull);
    world.github.addComment(pull, { by: "grace", body: approve(pull, "up to 20 USD too little") });
    await run(pull);
    expect(answers(pull)).toHaveLength(1);
    await run(pull);
    expect(answers(pull)).toHaveLength(1);
    expect(world.reports(pull)).toHaveLength(1);
  });

  it("an approval of an earlier commit does not count for the next one", async () => {
    const pull = world.opens();
    await run(pull);
    world.github.addComment(pull, { by: "grace", body: approve(pull, "up to 600 USD load test") });
    world.github.push({
      repository: REPOSITORY,
      branch: pull.headRef,
      files: { "infra/more.tf": "# more\n" },
    });
    expect(await run(world.github.pullRequest(pull))).toBe("tollgate: main: action_required");
  });
});

it("the members of a team cannot be read by GITHUB_TOKEN: their approval does not count, and the job says what would", async () => {
  const teams = await createCiWorld(POLICY.replace("permission: write, reviews: true", "teams: [finops]"));
  try {
    teams.github.createTeam({ organisation: OWNER, slug: "finops", members: ["grace"] });
    teams.github.setCollaborator({ repository: REPOSITORY, login: "grace", permission: "write" });
    const pull = teams.opens();
    await teams.job(pull, { change: "500" });
    teams.github.addComment(pull, { by: "grace", body: approve(pull, "up to 600 USD load test") });
    const ended = await teams.job(pull, { change: "500" });
    expect(ended.code).toBe(1);
    expect(ended.messages[1]).toContain("may not read who belongs to a team");
    expect(ended.messages[1]).toContain("a GitHub App that may read members");
  } finally {
    await teams.ends();
  }
});

it("a job takes no override, says so once, and keeps its check", async () => {
  const pull = world.opens();
  await run(pull);
  const body = `/tollgate override ${pull.headSha} the site is down`;
  const comment = world.github.addComment(pull, { by: "grace", body });
  expect(await run(pull)).toBe("tollgate: main: action_required");
  expect(await run(pull)).toBe("tollgate: main: action_required");
  expect(world.github.reactions(comment.id).map(({ content }) => content)).toEqual(["-1"]);
  expect(answers(pull).map(({ body: text }) => text.split("\n")[0])).toEqual([
    "Not overridden: a CI job evaluates this repository, and only a Tollgate server takes overrides.",
  ]);
});
