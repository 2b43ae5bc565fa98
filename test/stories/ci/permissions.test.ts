import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CiWorld, createCiWorld, PERMISSIONS } from "../../world/ci-job.ts";
import { STRICT } from "../../world/costs.ts";

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(STRICT);
});
afterAll(() => world.ends());

const without = (name: keyof typeof PERMISSIONS) =>
  Object.fromEntries(Object.entries(PERMISSIONS).filter(([permission]) => permission !== name));

describe("a CI job whose token lacks a permission names it", () => {
  it.each([
    ["checks", "the token may not read the checks of the commit: it lacks `checks: read`"],
    ["contents", "the token may not read the policy file and the changed files: it lacks `contents: read`"],
    ["pull-requests", "the token may not read the pull request: it lacks `pull-requests: read`"],
  ] as const)("%s", async (permission, message) => {
    const pull = world.opens();
    const ended = await world.job(pull, { permissions: without(permission) });
    expect(ended.code).toBe(2);
    expect(ended.messages[0]).toContain(message);
    expect(ended.messages.join("\n")).toContain("permissions:");
    expect(world.gate(pull)).toBeNull();
  });

  it("that only writes nothing: the verdict is printed, and neither check nor comment exist", async () => {
    const pull = world.opens();
    const permissions = { checks: "read", contents: "read", "pull-requests": "read" } as const;
    const ended = await world.job(pull, { permissions, change: "500" });
    expect(ended.code).toBe(2);
    expect(ended.results).toBe("tollgate: main: failure");
    expect(ended.messages.join("\n")).toContain("it lacks `checks: write`");
    expect(ended.messages.join("\n")).toContain("it lacks `pull-requests: write`");
    expect(world.gate(pull)).toBeNull();
    expect(world.reports(pull)).toEqual([]);
  });

  it("on a fork, where no workflow can grant it, and names the page with the other workflow", async () => {
    world.github.createOwner({ login: "mallory", type: "user" });
    world.github.forkRepository({ repository: "acme/shop", owner: "mallory" });
    const pull = world.opens({ fork: "mallory" });
    const permissions = { checks: "read", contents: "read", "pull-requests": "read" } as const;
    const ended = await world.job(pull, { permissions });
    expect(ended.code).toBe(2);
    expect(ended.messages.join("\n")).toContain("docs/ci/forks.md");
  });
});

it("a workflow that follows a fork's workflow finds the pull request by its head and writes the check", async () => {
  world.github.createOwner({ login: "trent", type: "user" });
  world.github.forkRepository({ repository: "acme/shop", owner: "trent" });
  const pull = world.opens({ fork: "trent" });
  const head = world.github.pullRequest(pull);
  const ended = await world.job(pull, {
    event: "workflow_run",
    payload: {
      workflow_run: {
        head_sha: head.headSha,
        head_branch: head.headRef,
        head_repository: { id: head.headRepositoryId, owner: { login: "trent" } },
        repository: { id: world.repositoryId },
        pull_requests: [],
      },
    },
  });
  expect(ended).toMatchObject({ code: 0, messages: [] });
  expect(world.gate(pull)).toBe("success");
});

it("a job of an earlier commit publishes nothing", async () => {
  const pull = world.opens();
  const environment = await world.environment(pull);
  world.github.push({
    repository: "acme/shop",
    branch: pull.headRef,
    files: { "infra/more.tf": "# more\n" },
  });
  const ended = await world.job(pull, { environment });
  expect(ended.code).toBe(3);
  expect(ended.results).toContain("has another head");
  expect(world.gate(world.github.pullRequest(pull))).toBeNull();
  expect(world.gate(pull)).toBeNull();
});
