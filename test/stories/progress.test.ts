import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type HeldPlatform, heldPlatform } from "../world/slow-platform.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;

let world: World;
let platform: HeldPlatform;
beforeAll(async () => {
  platform = await heldPlatform(/./);
  const remote = { kind: "remote", token: "t", account: "acc", dialect: "neutral", prefix: "" } as const;
  world = await createWorld({
    policy: POLICY,
    settings: { platform: { ...remote, url: platform.url } },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
  });
});
afterAll(async () => {
  await world.ends();
  platform.close();
});

it("a head has its check while the platform still takes its time", async () => {
  world.github.deliveries.hold({ event: "pull_request" });
  const pull = world.opensPullRequest();
  const url = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e1/pipeline`;
  world.ci.posts({ sha: pull.headSha, executionId: "e1", state: "success", url });
  await world.github.deliveries.release();
  await eventually(() => expect(world.gate(pull)).toBe("in_progress"));
  expect(world.checkOf(pull).output.title).toBe("Reading costs and changes");
  expect(platform.held()).toBeGreaterThan(0);
  platform.release();
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.comments(pull)).toHaveLength(1);
});
