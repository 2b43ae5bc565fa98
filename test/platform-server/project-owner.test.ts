import { afterAll, describe, expect, it } from "vitest";
import { claimProject, findProjectOwner } from "../../src/store/bindings.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform } from "./platform-world.ts";
import { createStage, EXECUTIONS } from "./stories.ts";

describe.each(usualEngines())("a project that is named as a repository is, on $name", async (engine) => {
  const world = await openPlatform(engine);
  for (const [repository_id, name] of [
    [1, "payments"],
    [2, "payments"],
    [3, "elsewhere"],
  ] as const) {
    const row = { repository_id, installation_id: 5, owner_id: 6, owner_login: "acme", name };
    await saveRepository(world.store.db, row, new Date(world.clock.ms));
  }
  afterAll(() => world.close());

  const token = (repositoryId: number) =>
    world.token({ purpose: "import", account: ACCOUNT, repositoryId, org: "acme", project: "payments" });
  const writes = async (repositoryId: number) => {
    const json = { pipeline: "p", pipeline_execution_id: "e", pipeline_stage_id: "s", workspace: "w" };
    return world.call("POST", EXECUTIONS, { json, key: await token(repositoryId) });
  };
  const reads = async (repositoryId: number) =>
    world.call("GET", EXECUTIONS, { key: await token(repositoryId) });
  const key = { account: ACCOUNT, org: "acme", project: "payments" };

  it("is the first writer's: a repository that has the name later neither reads nor writes it", async () => {
    expect((await reads(1)).status).toBe(200);
    expect(await findProjectOwner(world.store.db, key)).toBeNull();
    expect((await writes(1)).status).toBe(200);
    expect(await findProjectOwner(world.store.db, key)).toBe(1);
    for (const answer of [await writes(2), await reads(2)]) {
      expect(answer.status).toBe(403);
      expect(answer.body.message).toContain("had this name before");
    }
    expect((await writes(1)).status).toBe(200);
  });

  it("stays open to a repository of another name whose token the operator bound to it, and to the account's own", async () => {
    expect((await writes(3)).status).toBe(200);
    expect((await createStage(world)).status).toBe(200);
    expect(await findProjectOwner(world.store.db, key)).toBe(1);
  });

  it("is one repository's, however many claim it at once, and of each account its own", async () => {
    const project = { ...key, project: "raced" };
    const claim = (repositoryId: number) => claimProject(world.store.db, project, repositoryId);
    const owners = await Promise.all([7, 8, 9].map(claim));
    expect(new Set(owners).size).toBe(1);
    expect(await findProjectOwner(world.store.db, { ...project, account: "acc-2" })).toBeNull();
  });
});
