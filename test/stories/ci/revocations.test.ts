import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxPull } from "../../../src/sandbox/state/pulls.ts";
import { type CiWorld, createCiWorld } from "../../world/ci-job.ts";
import { OWNER, REPOSITORY } from "../../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { permission: write } }
`;

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(POLICY);
  world.github.createTeam({ organisation: OWNER, slug: "finops", members: ["grace", "heidi", "stranger"] });
  for (const login of ["grace", "heidi"])
    world.github.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
});
afterAll(() => world.ends());

const run = async (pull: SandboxPull) => (await world.job(pull, { change: "500" })).results;
const approve = (pull: SandboxPull) =>
  world.github.addComment(pull, {
    by: "grace",
    body: `/tollgate approve ${pull.headSha} up to 600 USD load test`,
  });

describe("what was revoked stays revoked in later jobs", () => {
  it("an edit of the revoking comment does not bring the approval back", async () => {
    const pull = world.opens();
    await run(pull);
    approve(pull);
    const revoked = world.github.addComment(pull, { by: "grace", body: "/tollgate revoke" });
    expect(await run(pull)).toBe("tollgate: main: action_required");
    world.github.editComment(revoked.id, { body: "/tollgate revoke ", by: "heidi" });
    expect(await run(pull)).toBe("tollgate: main: action_required");
  });

  it("comments of others between an approval and its revocation do not keep it in force", async () => {
    const pull = world.opens();
    await run(pull);
    approve(pull);
    for (let count = 0; count < 210; count++)
      world.github.addComment(pull, { by: "stranger", body: "/tollgate explain" });
    world.github.addComment(pull, { by: "grace", body: "/tollgate revoke" });
    expect(await run(pull)).toBe("tollgate: main: action_required");
  });
});
