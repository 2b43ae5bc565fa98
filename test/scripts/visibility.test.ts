import { expect, it, onTestFinished } from "vitest";
import { createSimulatedWorld } from "../simulation/simulated-world.ts";
import { EXPENSIVE } from "../world/costs.ts";

const POLICY = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 900 USD }\n";

it("an edit of a public repository's policy is not tried on other pull requests: it would tell their cost", async () => {
  const PAST = "the last 1 pull request, without approvals";
  for (const [visibility, isTold] of [
    ["private", true],
    ["public", false],
  ] as const) {
    const world = await createSimulatedWorld({ policy: POLICY, visibility });
    onTestFinished(() => world.ends());
    await world.opensPlanned(EXPENSIVE);
    const files = { ".github/tollgate.yml": POLICY.replace("900", "1") };
    const comment = world.comment(await world.opensPlanned(undefined, { files }));
    expect(comment).toContain("This pull request edits the policy");
    expect([visibility, comment.includes(PAST)]).toEqual([visibility, isTold]);
  }
});
