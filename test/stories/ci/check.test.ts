import { afterAll, beforeAll, expect, it } from "vitest";
import { type CiWorld, createCiWorld } from "../../world/ci-job.ts";
import { STRICT } from "../../world/costs.ts";
import { REPOSITORY } from "../../world/places.ts";

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(STRICT);
});
afterAll(() => world.ends());

it("a CI job writes check and comment of a pull request without a server", async () => {
  const pull = world.opens();
  const ended = await world.job(pull);
  expect(ended).toMatchObject({ code: 0, results: "tollgate: main: success", messages: [] });
  expect(world.gate(pull)).toBe("success");
  expect(world.reports(pull)).toMatchInlineSnapshot(`
    [
      "### ✅ Passed: +$10.00 per month (+100%)

    Nothing to do. The one rule of the policy is met.

    #### Cost per month

    | Stage | Change | Before | After |
    |:--|--:|--:|--:|
    | \`production\` | +$10.00 | $10.00 | $20.00 |

    #### What drives it

    | Change | Resource |
    |--:|:--|
    | +$10.00 | \`aws_instance.server\`: $10.00 → $20.00 |

    #### What changes

    Which resources change is not known: the platform has not indexed the execution.

    <sub>Commit \`…\` into \`main\` · Figures from execution \`…\` (recorded for this commit) · Rules from \`.github/tollgate.yml\` at \`…\`</sub>

    <!-- tollgate report of pull request 1 of repository 812340001 -->",
    ]
  `);
});

it("a CI job that is blocked fails, and the next one with a lower cost updates the same comment", async () => {
  const pull = world.opens();
  expect(await world.job(pull, { change: "500" })).toMatchObject({
    code: 1,
    results: "tollgate: main: failure",
  });
  expect(world.reports(pull)[0]).toContain("+$500.00 per month");
  expect(await world.job(pull, { change: "50" })).toMatchObject({ code: 0 });
  expect(world.reports(pull)).toHaveLength(1);
  expect(world.reports(pull)[0]).toContain("+$50.00 per month");
  expect(world.gate(pull)).toBe("success");
});

it("files of the test merge are those of its head, and of no later one", async () => {
  const pull = world.opens();
  const merge = world.github.testMerge(pull) ?? "";
  expect(await world.job(pull, { words: ["--sha", merge] })).toMatchObject({ code: 0 });
  world.github.push({
    repository: REPOSITORY,
    branch: pull.headRef,
    files: { "infra/later.tf": "# later\n" },
  });
  const late = await world.job(world.github.pullRequest(pull), { words: ["--sha", merge] });
  expect(late).toMatchObject({ code: 3, results: expect.stringContaining("has another head") });
});

it("an organisation's policy that the token cannot see fails the check, and the job says which option states that there is none", async () => {
  const pull = world.opens();
  const ended = await world.job(pull, { environment: { ORG_POLICY: "read" } });
  expect(ended.code).toBe(2);
  expect(ended.messages.join("\n")).toContain("--organisation-policy none");
  expect(world.gate(pull)).toBe("failure");
});

it("the JSON of a public repository's job, whose log everybody reads, has the verdict and no figures", async () => {
  const open = await createCiWorld(STRICT, "public");
  try {
    const ended = await open.job(open.opens(), { change: "537.31", words: ["--json"] });
    expect(JSON.stringify(ended)).not.toMatch(/5[34]7\.31/);
    expect(JSON.parse(ended.results)).toMatchObject({
      ...{ conclusion: "failure", report: null },
      verdict: { kind: "block", findings: [{ rule: "monthly-increase", outcome: "violated" }] },
    });
    const shown = await open.job(open.opens(), { change: "537.31", words: ["--json", "--public-figures"] });
    expect(JSON.parse(shown.results).report.totals).toMatchObject([{ change: "537.31" }]);
  } finally {
    await open.ends();
  }
});
