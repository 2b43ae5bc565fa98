import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type SlowPlatform, slowPlatform } from "../world/slow-platform.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;

let world: World;
let platform: SlowPlatform;
beforeAll(async () => {
  platform = await slowPlatform(1_500);
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

it("a head has its check within two seconds, also when the platform takes its time", async () => {
  world.github.deliveries.hold({ event: "pull_request" });
  const pull = world.opensPullRequest();
  const url = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e1/pipeline`;
  const opened = Date.now();
  world.ci.posts({ sha: pull.headSha, executionId: "e1", state: "success", url });
  await world.github.deliveries.release();
  await eventually(() => expect(world.gate(pull)).toBe("in_progress"));
  const [run] = world.github.checkRuns({ repository: "acme/shop", sha: pull.headSha, appId: world.appId });
  expect((run?.startedAt ?? Number.NaN) - opened).toBeLessThan(2_000);
  expect(run?.output.title).toBe("Reading costs and changes");
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.comments(pull)).toHaveLength(1);
});
