import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type BrokenPlatform, brokenPlatform } from "../world/slow-platform.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
  - { id: quiet, limit: { anomalies: 0 } }
`;
const ANOMALIES = /\/anomaly\/v2\//;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("an outage of the facts that a rule needs", () => {
  let world: World;
  let platform: BrokenPlatform;
  let runs = 0;
  beforeAll(async () => {
    platform = await brokenPlatform();
    const remote = { kind: "remote", token: "t", account: "acc", dialect: "neutral", prefix: "" } as const;
    world = await createWorld({
      policy: POLICY,
      settings: { platform: { ...remote, url: platform.url } },
      operator: ({ ownerId: owner }) => ({
        grants: [{ owner, org: "o", project: "p", perspectives: ["shop"] }],
      }),
    });
  });
  afterEach(() => platform.heals());
  afterAll(async () => {
    platform.close();
    await world.ends();
  });

  async function change() {
    const pull = world.opensPullRequest();
    runs += 1;
    const executionId = `e${runs}`;
    const url = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/${executionId}/pipeline`;
    world.ci.posts({ sha: pull.headSha, executionId, state: "success", url });
    await world.settles();
    return pull;
  }
  /** Time passes until somebody looks again. */
  const later = async (ms: number) => {
    const before = platform.looks();
    await world.timePasses(ms);
    await eventually(() => expect(platform.looks()).toBeGreaterThan(before));
    await world.settles();
  };
  /** The first try was made with the run's end. */
  async function triesEnd(pull: { headSha: string }) {
    for (const seconds of [2, 4, 8, 16])
      if (world.gate(pull) === "in_progress") await later(seconds * SECOND);
  }

  /** Time passes; on a busy machine a look may have been made before. */
  async function becomes(gate: string, pull: { headSha: string }, ms: number) {
    await world.timePasses(ms);
    await eventually(async () => {
      await world.settles();
      expect(world.gate(pull)).toBe(gate);
    });
  }

  it("that ends within its tries leaves the right verdict, by itself", async () => {
    platform.breaks(ANOMALIES, 503);
    const pull = await change();
    expect(world.gate(pull)).toBe("in_progress");
    const { title, summary } = world.checkOf(pull).output ?? {};
    expect(`${title}\n\n${summary}`.split("#### Cost per month")[0]).toMatchInlineSnapshot(`
      "Reading open cost anomalies again · +$10.00 per month (+100%) so far

      Nothing to do. This updates by itself in a moment.

      - open cost anomalies: could not be read; it is read again

      "
    `);
    await later(2 * SECOND);
    expect(world.gate(pull)).toBe("in_progress");
    platform.heals();
    await becomes("success", pull, 4 * SECOND);
  });

  it("that outlasts them fails the gate and says what for, and the gate turns once it is over", async () => {
    platform.breaks(ANOMALIES, 503);
    const pull = await change();
    expect(world.gate(pull)).toBe("in_progress");
    await triesEnd(pull);
    expect(world.gate(pull)).toBe("failure");
    const said = world.comment(pull).split("#### Cost per month")[0] ?? "";
    expect(said).toMatchInlineSnapshot(`
      "### ❓ Held back: 1 rule could not be evaluated · +$10.00 per month (+100%)

      **To merge:** 1 rule could not be evaluated. Unknown values never pass.

      - Some figures may still arrive. Press **Re-check** on the check to try again.

      #### Why

      - ❓ \`quiet\`: could not be evaluated, because the platform could not be reached

      "
    `);
    expect(world.comment(pull)).toContain(
      "Open cost anomalies are not known: the platform could not be reached",
    );
    await later(MINUTE);
    expect(world.gate(pull)).toBe("failure");
    platform.heals();
    await becomes("success", pull, 2 * MINUTE);
    platform.breaks(ANOMALIES, 503);
    world.github.addLabel(pull, { label: "cost" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress"); // the tries of the next outage begin anew
    platform.heals();
    await becomes("success", pull, 2 * SECOND);
  });

  it("of the cost itself is over for the gate as well once it is over", async () => {
    platform.breaks(/cost-changes/, 502);
    const pull = await change();
    const { title, summary } = world.checkOf(pull).output ?? {};
    expect(
      `${title}\n\n${summary?.split("\n").filter((line) => line.startsWith("- "))[0]}`,
    ).toMatchInlineSnapshot(`
      "Reading 1 execution again · cost unknown

      - \`production\`: ended; its results are read again"
    `);
    await triesEnd(pull);
    expect(world.gate(pull)).toBe("failure");
    platform.heals();
    await becomes("success", pull, MINUTE);
  });
});
