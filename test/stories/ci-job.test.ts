import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { runAction } from "../../src/action/run-action.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { typed } from "../cli/run-command.ts";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan } from "../plan-files/plan-builder.ts";
import { REQUEST_TOKEN, startIssuer } from "../web/id-token-issuer.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 500 USD } }\n";

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ended.splice(0).reverse()) await end();
});

test("a GitHub Actions job sends estimates without a stored token, by the command and by the Action, and nobody logs its credentials", async () => {
  const issuer = await startIssuer();
  ended.push(() => issuer.ends());
  const lines: string[] = [];
  const log = createLog("debug", { destination: { write: (line) => void lines.push(line) } });
  let ownerId = 0;
  const world = await createWorld({
    ...{ policy: POLICY, log, settings: { oidcIssuer: issuer.url, logLevel: "debug" } },
    operator: (ids) => {
      ownerId = ids.ownerId;
      return {};
    },
  });
  ended.push(() => world.ends());
  const pull = world.opensPullRequest();
  await world.settles();
  const { repositoryId } = world;
  const mergeSha =
    world.github.testMerge({ repositoryId, number: pull.number }) ?? expect.fail("no test merge");
  // the base branch moves: GitHub makes another test merge, and this job's is known from its parents only
  world.github.push({ repository: REPOSITORY, branch: "main", files: { "NEWS.md": "news\n" } });
  await world.settles();
  const job = {
    ...{
      repository: REPOSITORY,
      repository_id: String(repositoryId),
      run_id: "4711",
      event_name: "pull_request",
    },
    ...{ sha: mergeSha, ref: `refs/pull/${pull.number}/merge`, repository_owner_id: String(ownerId) },
  };
  for (const [name, value] of Object.entries({ ...issuer.startsJob(job), TOLLGATE_URL: world.bot.url }))
    vi.stubEnv(name, value);
  const folder = mkdtempSync(join(tmpdir(), "tollgate-job-"));
  ended.push(async () => rmSync(folder, { recursive: true }));
  const file = join(folder, "infracost.json");
  writeFileSync(
    file,
    JSON.stringify(estimate([project("web", ["100", "900", "800"])], ["100", "900", "800"])),
  );

  const sent = await typed([
    "platform",
    "import",
    "--workspace",
    "production",
    "--infracost",
    file,
    "--json",
  ]);

  expect({ ...sent, results: "" }).toMatchObject({ code: 0 });
  expect(JSON.parse(sent.results)).toMatchObject({
    ...{ org: "acme", project: "shop", repository: REPOSITORY, sha: pull.headSha },
  });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("$800.00");

  mkdirSync(join(folder, "plans/staging"), { recursive: true });
  writeFileSync(join(folder, "plans/staging/tfplan.json"), JSON.stringify(plan()));
  const stepLog: string[] = [];
  const code = await runAction({
    environment: {
      ...{ INPUT_MODE: "send", INPUT_URL: world.bot.url },
      ...{ INPUT_PLAN: join(folder, "plans"), INPUT_INFRACOST: file },
    },
    print: (line) => stepLog.push(line),
    changeDirectory: () => {},
  });

  expect([code, stepLog]).toEqual([0, expect.any(Array)]);
  await world.settles();
  expect(world.comment(pull)).toContain("staging");
  const states = (mode: string) =>
    runAction({
      environment: {
        ...{ INPUT_MODE: mode, INPUT_URL: world.bot.url },
        ...{ INPUT_WORKSPACE: "idle", "INPUT_NOTHING-TO-PLAN": "true" },
      },
      print: (line) => stepLog.push(line),
      changeDirectory: () => {},
    });
  expect([await states("send"), await states("check")]).toEqual([0, 2]);
  await world.settles();
  expect(world.comment(pull)).toMatch(/Nothing to plan: `idle`, stated by `GitHub Actions run \d+`/);
  const said = JSON.stringify([lines, sent.messages, sent.results, stepLog]);
  expect(said).toContain("a CI job asked for a token");
  expect(issuer.issued).toHaveLength(3);
  const secrets = issuer.issued.flatMap((token) => token.split(".").slice(1));
  for (const secret of [REQUEST_TOKEN, ...secrets]) expect(said).not.toContain(secret);
  expect(said).not.toMatch(/tg_[0-9a-f]{16}_/);
});
