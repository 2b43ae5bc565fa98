import { afterAll, beforeAll, expect, it } from "vitest";
import { type CiWorld, createCiWorld, estimateOf } from "../../world/ci-job.ts";
import { STRICT } from "../../world/costs.ts";

const POLICY = `${STRICT}expect:
  - { paths: ["infra/**"], workspaces: [production, staging] }
`;

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(POLICY);
});
afterAll(() => world.ends());

const both = (production: string, staging: string) => [
  ...["--workspace", "production", "--infracost", world.file(estimateOf(production))],
  ...["--workspace", "staging", "--infracost", world.file(estimateOf(staging))],
];

it("one job evaluates the workspaces of a whole matrix together", async () => {
  const pull = world.opens();
  expect(await world.job(pull, { files: both("60", "70") })).toMatchObject({ code: 1 });
  expect(world.reports(pull)[0]).toContain("+$130.00 per month");
  expect(world.reports(pull)[0]).toContain("`staging`");
});

it("a job without one of the expected workspaces ends in failure at once, because no execution follows it", async () => {
  const pull = world.opens();
  expect(await world.job(pull)).toMatchObject({ code: 3, results: "tollgate: main: failure" });
  expect(world.gate(pull)).toBe("failure");
  expect(world.reports(pull)[0]).toContain("staging");
  expect(world.reports(pull)[0]?.split("\n").slice(0, 3)).toMatchInlineSnapshot(`
    [
      "### ⛔ Held back: 1 expected execution is not part of this job",
      "",
      "**To merge:** let the job evaluate plan or estimate of the workspaces below, too. If one is no longer needed, remove it from \`expect\` in \`.github/tollgate.yml\` on \`main\`.",
    ]
  `);
});

it("a draft gets a verdict, because no job may run when it is ready", async () => {
  const pull = world.opens({ draft: true });
  expect(await world.job(pull, { files: both("10", "20") })).toMatchObject({ code: 0 });
  expect(world.gate(pull)).toBe("success");
});

it("a workspace whose file cannot be read leaves the verdict undecided and fails the job", async () => {
  const pull = world.opens();
  const files = both("10", "20").with(-1, world.file("no JSON"));
  const ended = await world.job(pull, { files });
  expect(ended.code).toBe(2);
  expect(ended.messages[0]).toMatch(/^staging: /);
  expect(world.gate(pull)).toBe("failure");
});

it("two jobs at once leave one comment and one conclusion", async () => {
  const pull = world.opens();
  const ended = await Promise.all([0, 1].map(() => world.job(pull, { files: both("10", "20") })));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(world.reports(pull)).toHaveLength(1);
  expect(world.gate(pull)).toBe("success");
});

it("the comment of another workflow of the same author stays as it is, and its check run too", async () => {
  const pull = world.opens();
  const token = await world.github.issueJobToken({
    repository: "acme/shop",
    permissions: { checks: "write", "pull-requests": "write" },
  });
  const post = (path: string, body: object) =>
    fetch(`${world.github.url}/repos/acme/shop/${path}`, {
      method: "POST",
      headers: { authorization: `token ${token}` },
      body: JSON.stringify(body),
    });
  await post(`issues/${pull.number}/comments`, { body: "coverage: 80 %" });
  await post("check-runs", {
    name: "tollgate: main",
    head_sha: pull.headSha,
    external_id: "8f3c",
    status: "queued",
  });
  expect(await world.job(pull, { files: both("10", "20") })).toMatchObject({ code: 0 });
  expect(world.github.comments(pull).map(({ body }) => body.split("\n")[0])).toEqual([
    "coverage: 80 %",
    expect.stringContaining("Passed"),
  ]);
  expect(
    world.github.checkRuns({ repository: "acme/shop", sha: pull.headSha }).map(({ status }) => status),
  ).toEqual(["completed", "queued"]);
});

it("summary and report contain the comment and the verdict", async () => {
  const pull = world.opens();
  const [summary, report] = [world.file("", "summary.md"), world.file("", "report.json")];
  const words = ["--summary", summary, "--report", report];
  await world.job(pull, { files: both("10", "20"), words });
  expect(world.read(summary)).toContain("Passed: +$30.00 per month");
  expect(JSON.parse(world.read(report))).toMatchObject({
    pull_request: pull.number,
    check: "tollgate: main",
    conclusion: "success",
    verdict: { kind: "pass" },
    report: { totals: [{ currency: "USD", change: "30" }] },
  });
});

it("a budget is undecided in a job, which knows no other pull request", async () => {
  const budgets = await createCiWorld(`version: 1
budgets:
  - { id: whole-budget, amount: 10000 USD }
`);
  try {
    const pull = budgets.opens();
    expect(await budgets.job(pull)).toMatchObject({ code: 3, results: "tollgate: main: failure" });
    expect(budgets.reports(pull)[0]).toContain("a CI job knows no other pull request");
  } finally {
    await budgets.ends();
  }
});
