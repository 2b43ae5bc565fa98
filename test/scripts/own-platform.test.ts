import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { ScriptedPlatform } from "../world/scripted-platform.ts";

const POLICY = `version: 1
expect: []
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const LIST = /\/executions\?/;
const COSTS = /cost-changes-all-stages$/;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const cost = (stage: string, workspace: string, diff: string) => ({
  ...{ currency: "USD", diff: {}, stage_execution_id: stage, stage_id: "s", workspace_id: workspace },
  ...{
    past_total_monthly_cost: "10",
    total_monthly_cost: `${10 + Number(diff)}`,
    diff_total_monthly_cost: diff,
  },
  percentage_change_total_monthly_cost: null,
});

let world: SimulatedWorld;
let platform: ScriptedPlatform;
const startWorld = async (policy: string, ...options: Parameters<ScriptedPlatform["options"]>) => {
  platform = new ScriptedPlatform();
  world = await createSimulatedWorld({ policy, ...platform.options(...options) });
};

function posts(
  { headSha: sha }: { headSha: string },
  executionId: string,
  url = platform.executionUrl(executionId),
) {
  world.ci.posts({ sha, executionId, state: "success", url });
}

let count = 0;
async function change(executionId?: string) {
  count += 1;
  const pull = world.opensPullRequest();
  posts(pull, executionId ?? `e${count}`);
  await world.settles();
  return pull;
}

describe("an execution on the operator's platform", () => {
  beforeAll(() => startWorld(POLICY));
  afterAll(() => world.ends());
  afterEach(() => {
    platform.script = () => undefined;
    platform.calls.length = 0;
  });

  it("that a status names is evaluated, with a link to its page", async () => {
    const pull = await change("linked");
    expect(world.gate(pull)).toBe("success");
    expect(world.comment(pull)).toContain("+$10.00");
    expect(world.github.comments(pull)[0]?.body).toContain(
      `| [\`production\`](${platform.executionUrl("linked")}) |`,
    );
  });

  it("that ended is read once, and its stages are listed each time", async () => {
    const pull = await change("final");
    posts(pull, "final");
    await world.settles();
    expect([platform.count(COSTS), platform.count(LIST)]).toEqual([1, 2]);
  });

  it("is read again when a stage was added to it", async () => {
    const of = (stage: string, workspace: string) => ({
      ...{ org: "o", project: "p", pipeline_execution_id: "grows", pipeline_stage_id: stage },
      ...{ workspace, status: "success", created: 1 },
    });
    const pull = await change("grows");
    expect(world.gate(pull)).toBe("success");
    platform.script = (target) => {
      if (LIST.test(target)) return [of("grows-s", "production"), of("grows-t", "staging")];
      return COSTS.test(target)
        ? [cost("grows-s", "production", "10"), cost("grows-t", "staging", "900")]
        : undefined;
    };
    posts(pull, "grows");
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    expect(world.comment(pull)).toContain("+$910");
  });

  it.each([
    ["are not there", 404],
    ["lack the change", [{ ...cost("broken-s", "production", "10"), diff_total_monthly_cost: null }]],
    ["contradict each other", [{ ...cost("broken-s", "production", "10"), diff_total_monthly_cost: "-500" }]],
  ])("whose costs %s is waited for, never taken for one without costs", async (_name, answer) => {
    platform.script = (target) => (COSTS.test(target) ? answer : undefined);
    expect(["in_progress", "failure"]).toContain(world.gate(await change("broken")));
  });

  it("of a project that the operator did not grant is not asked for", async () => {
    const pull = world.opensPullRequest();
    posts(pull, "secret", platform.executionUrl("secret").replace("/projects/p/", "/projects/secret/"));
    await world.settles();
    expect(platform.calls.filter((target) => target.includes("secret"))).toEqual([]);
    expect(world.gate(pull)).not.toBe("success");
  });
});

describe("a platform that takes its time", () => {
  beforeAll(() => startWorld(POLICY));
  afterAll(() => world.ends());

  /** Calls whose path matches have no answer until they are released. */
  function holds(paths: RegExp) {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.calls.length = 0;
    platform.script = (target) => (paths.test(target) ? promise : undefined);
    return { releases: resolve, count: () => platform.count(paths) };
  }

  it("does not keep a head waiting for its check", async () => {
    const held = holds(/./);
    const pull = world.opensPullRequest();
    posts(pull, "slow");
    await world.goesOn(1_500);
    expect(world.checkOf(pull)).toMatchObject({
      status: "in_progress",
      output: { title: "Reading costs and changes" },
    });
    expect(held.count()).toBeGreaterThan(0);
    held.releases();
    await world.settles();
    expect([world.gate(pull), world.comments(pull).length]).toEqual(["success", 1]);
  });

  it("delays the comment, and not the gate, with facts that are only shown", async () => {
    const held = holds(/\/settings\/(drift|ephemeral)-config/);
    const pull = world.opensPullRequest();
    posts(pull, "shown");
    await world.goesOn(1_500);
    expect(held.count()).toBeGreaterThan(0);
    expect([world.gate(pull), world.comments(pull).length]).toEqual(["success", 0]);
    held.releases();
    await world.settles();
    expect(world.comments(pull)).toHaveLength(1);
  });
});

describe("an outage of the facts that a rule needs", () => {
  const ANOMALIES = /\/anomaly\/v2\//;
  const fails = (paths: RegExp, status: number) => {
    platform.script = (target) => (paths.test(target) ? status : undefined);
  };
  const heals = () => {
    platform.script = () => undefined;
  };
  beforeAll(() =>
    startWorld(`${POLICY}  - { id: quiet, limit: { anomalies: 0 } }\n`, { perspectives: ["shop"] }),
  );
  afterEach(heals);
  afterAll(() => world.ends());

  /** The first try was made with the execution's end. */
  async function triesEnd(pull: { headSha: string }) {
    for (const seconds of [2, 4, 8, 16])
      if (world.gate(pull) === "in_progress") await world.timePasses(seconds * SECOND);
  }

  it("that ends within its tries leaves the right verdict, by itself", async () => {
    fails(ANOMALIES, 503);
    const pull = await change();
    expect(world.gate(pull)).toBe("in_progress");
    const { title, summary } = world.checkOf(pull).output;
    expect(`${title}\n\n${summary}`.split("#### Cost per month")[0]).toMatchInlineSnapshot(`
      "Reading open cost anomalies again · +$10.00 per month (+100%) so far

      Nothing to do. This updates by itself in a moment.

      - open cost anomalies: could not be read; it is read again

      "
    `);
    await world.timePasses(2 * SECOND);
    expect(world.gate(pull)).toBe("in_progress");
    heals();
    await world.timePasses(4 * SECOND);
    expect(world.gate(pull)).toBe("success");
  });

  it("that outlasts them fails the gate and says what for, and the gate turns once it is over", async () => {
    fails(ANOMALIES, 503);
    const pull = await change();
    await triesEnd(pull);
    expect(world.gate(pull)).toBe("failure");
    expect(world.comment(pull).split("#### Cost per month")[0]).toMatchInlineSnapshot(`
      "### ❓ Undecided: 1 rule could not be evaluated · +$10.00 per month (+100%)

      **To merge:** 1 rule could not be evaluated. Unknown values never pass.

      - Some figures may still arrive. Press **Re-check** on the check to try again.

      #### Why

      - ❓ \`quiet\`: could not be evaluated, because the platform could not be reached

      "
    `);
    expect(world.comment(pull)).toContain(
      "Open cost anomalies are not known: the platform could not be reached",
    );
    await world.timePasses(MINUTE);
    expect(world.gate(pull)).toBe("failure");
    heals();
    await world.timePasses(2 * MINUTE);
    expect(world.gate(pull)).toBe("success");
    fails(ANOMALIES, 503);
    world.github.addLabel(pull, { label: "cost" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress"); // the tries of the next outage begin anew
    heals();
    await world.timePasses(2 * SECOND);
    expect(world.gate(pull)).toBe("success");
  });

  it("of the cost itself is over for the gate as well once it is over", async () => {
    fails(/cost-changes/, 502);
    const pull = await change();
    const { title, summary } = world.checkOf(pull).output;
    expect(
      `${title}\n\n${summary?.split("\n").filter((line) => line.startsWith("- "))[0]}`,
    ).toMatchInlineSnapshot(`
      "Reading 1 execution again · cost unknown

      - \`production\`: ended; its results are read again"
    `);
    await triesEnd(pull);
    expect(world.gate(pull)).toBe("failure");
    heals();
    await world.timePasses(MINUTE);
    expect(world.gate(pull)).toBe("success");
  });
});

describe("under a limit of calls a minute", () => {
  /** Sixteen calls a minute that verdicts need, and eight for facts that are only shown: room for two evaluations. */
  const CALLS_PER_MINUTE = 24;
  beforeAll(() => startWorld(POLICY, { callsPerMinute: CALLS_PER_MINUTE }));
  afterAll(() => world.ends());

  it("eight pull requests that are ready at once wait for their turns: none fails, and no minute has more calls than allowed", async () => {
    const pulls = Array.from({ length: 8 }, () => world.opensPullRequest());
    for (const [index, pull] of pulls.entries()) posts(pull, `turn${index}`);
    await world.settles();
    const gates = () => pulls.map((pull) => world.gate(pull));
    const waiting = pulls.filter((pull) => world.gate(pull) === "in_progress");
    expect(gates()).toContain("success");
    expect(waiting.map((pull) => world.checkOf(pull).output.title)).toEqual(
      waiting.map(() => "Waiting for its turn to read costs and changes"),
    );
    expect(waiting.length).toBeGreaterThan(3);
    for (let minute = 1; gates().includes("in_progress"); minute++) {
      expect(minute).toBeLessThan(8);
      platform.calls.length = 0;
      await world.timePasses(MINUTE);
      expect(platform.calls.length).toBeLessThanOrEqual(CALLS_PER_MINUTE);
      expect(gates()).not.toContain("failure");
    }
    expect(gates()).toEqual(pulls.map(() => "success"));
  });

  it("a check that passed does not stay so while a newer, expensive execution waits for its turn", async () => {
    await world.timePasses(MINUTE);
    const pull = await change("first-number-1-adds-10");
    expect(world.gate(pull)).toBe("success");
    await world.timePasses(MINUTE);
    for (let other = 0; other < 3; other++) await change();
    posts(pull, "second-number-2-adds-900");
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    for (let minute = 1; world.gate(pull) === "in_progress"; minute++) {
      expect(minute).toBeLessThan(8);
      await world.timePasses(MINUTE);
    }
    expect(world.gate(pull)).toBe("failure");
    expect(world.comment(pull)).toContain("+$900");
  });
});

describe("under a limit of two calls a minute", () => {
  beforeAll(() => startWorld(POLICY, { callsPerMinute: 3 }));
  afterAll(() => world.ends());

  it("an evaluation of more calls than three minutes allow makes each of them once", async () => {
    const pull = world.opensPullRequest();
    await world.settles();
    posts(pull, "large");
    await world.settles(10 * MINUTE);
    expect(world.gate(pull)).toBe("success");
    expect(platform.count(/large/)).toBeGreaterThan(6);
    expect(new Set(platform.calls).size).toBe(platform.calls.length);
  });
});
