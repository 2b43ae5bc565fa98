import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type HeldPlatform, heldPlatform } from "../world/slow-platform.ts";
import { createWorld, type World } from "../world/world.ts";

describe("what is only shown", () => {
  let world: World;
  let platform: HeldPlatform;
  beforeAll(async () => {
    platform = await heldPlatform(/\/settings\/(drift|ephemeral)-config/);
    const remote = { kind: "remote", token: "t", account: "acc", dialect: "neutral", prefix: "" } as const;
    world = await createWorld({
      policy: "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 500 USD } }\n",
      settings: { platform: { ...remote, url: platform.url } },
      operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
    });
  });
  afterAll(async () => {
    platform.close();
    await world.ends();
  });

  it("is not waited for by the gate", async () => {
    const pull = world.opensPullRequest();
    const url = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e1/pipeline`;
    world.ci.posts({ sha: pull.headSha, executionId: "e1", state: "success", url });
    await eventually(() => expect(platform.held()).toBe(8));
    await eventually(() => expect(world.gate(pull)).toBe("success"));
    expect(platform.held()).toBe(8);
    expect(world.comments(pull)).toEqual([]);
    platform.release();
    await world.settles();
    expect(world.comments(pull)).toHaveLength(1);
  });
});
