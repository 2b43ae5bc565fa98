import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../src/store/evaluations.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { evaluation, moduleCost, report, row, stage } from "../render/evaluation-builder.ts";
import { usualDatabaseUrl } from "../world/engines.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";
import { movableClock } from "../world/time.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const POLICY = `version: 1
stages:
  - { match: { workspace: "prod-*" }, name: production }
expect:
  - { paths: ["infra/**"], workspaces: [prod-network, stagging] }
rules:
  - { id: right, limit: { increase: 5 USD }, scope: { stages: [production], providers: [aws] } }
  - id: misspelt
    limit: { increase: 5 USD }
    scope:
      stages: [production, prodution]
      not: { modules: [web/bd] }
  - { id: staged, limit: { deletions: 0 }, enforce: { prodution: block, "*": warn } }
budgets:
  - { id: network, amount: 5 USD, scope: { workspaces: ["prd-*"] } }
waivers:
  - { rule: right, scope: { providers: [google] }, up_to: 9 USD, until: 2999-01-01, reason: x, owner: finops }
`;

const folder = createFolder();
const path = folder.file("tollgate.yml", POLICY);
afterEach(() => void vi.unstubAllEnvs());

const REPORT = report(
  [
    stage("prod-network", ["1", "2"], { modules: [moduleCost("web.db", "1")] }),
    stage("staging", ["1", "2"], { modules: [] }),
  ],
  { rows: [row("changed", "aws_instance.a", "staging")] },
);

type Location = Readonly<Record<string, string>>;
const nowhere = (): Location => ({ TOLLGATE_DATA: join(folder.path, "nothing") });
let evaluated: Location = {};

/** A database in which two pull requests of acme/payments were evaluated. */
beforeAll(async () => {
  const directory = join(folder.path, "data");
  const url = await usualDatabaseUrl();
  const location =
    url === null ? ({ kind: "directory", directory } as const) : ({ kind: "postgres", url } as const);
  const store = await openDatabase(location, () => {});
  const now = new Date(0);
  const label = { owner_login: "acme", name: "payments", owner_id: 1, installation_id: 1 };
  await saveRepository(store.db, { ...label, repository_id: 8 }, now);
  for (const number of [1, 2]) {
    const fence = await enterLane(store.db, `pull:8:${number}`, now);
    const pull = { repositoryId: 8, number, repository: "acme/payments" };
    const made = evaluation({ pull, report: REPORT });
    await saveEvaluation(store.db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now });
  }
  await store.close();
  evaluated = { TOLLGATE_DATA: directory, DATABASE_URL: url ?? "" };
});

async function check(location: Location, ...more: readonly string[]) {
  vi.unstubAllEnvs();
  for (const [variable, value] of Object.entries(location)) vi.stubEnv(variable, value);
  const ended = await typed(
    more.includes("--organisation") ? ["policy", "check", ...more] : ["policy", "check", path, ...more],
  );
  return { ...ended, messages: ended.messages.map((text) => text.replaceAll(folder.path, ".")) };
}

const ASKED = ["--repository", "acme/payments"];

describe("policy check with the recent pull requests of a repository", () => {
  test("warns of each pattern that matched in none of them, and exits 0", async () => {
    const { code, results, messages } = await check(evaluated, ...ASKED);
    expect({ code, results }).toEqual({
      code: 0,
      results: "No problem: 3 rules, 1 budget, 1 waiver, 1 expectation.",
    });
    expect(messages.join("\n")).toMatchInlineSnapshot(`
      "warning: ./tollgate.yml:5:55 expect[0].workspaces[1] no workspace in 2 recent pull requests of acme/payments matches "stagging"; workspaces there: prod-network, staging (did you mean "staging"?)
      warning: ./tollgate.yml:11:28 rules[1].scope.stages[1] no stage in 2 recent pull requests of acme/payments matches "prodution"; stages there: production, staging (did you mean "production"?)
      warning: ./tollgate.yml:12:24 rules[1].scope.not.modules[0] no module in 2 recent pull requests of acme/payments matches "web/bd"; modules there: root, web/db (did you mean "web/db"?)
      warning: ./tollgate.yml:13:55 rules[2].enforce.prodution no stage in 2 recent pull requests of acme/payments matches "prodution"; stages there: production, staging (did you mean "production"?)
      warning: ./tollgate.yml:15:57 budgets[0].scope.workspaces[0] no workspace in 2 recent pull requests of acme/payments matches "prd-*"; workspaces there: prod-network, staging
      warning: ./tollgate.yml:17:41 waivers[0].scope.providers[0] no provider in 2 recent pull requests of acme/payments matches "google"; providers there: aws"
    `);
    const json = await check(evaluated, ...ASKED, "--json");
    expect(json).toMatchObject({ code: 0, messages: [] });
    const said = JSON.parse(json.results);
    expect(said).toMatchObject({ valid: true, compared: { repository: "acme/payments", pulls: 2 } });
    expect(said.warnings).toHaveLength(6);
    expect(said.warnings[1]).toMatchObject({
      line: 11,
      column: 28,
      path: "rules[1].scope.stages[1]",
      pattern: "prodution",
      there: ["production", "staging"],
      meant: "production",
    });
  });

  test("goes by the stages that the organisation names, and compares its patterns only where its file is checked alone", async () => {
    const above = folder.file(
      "org.yml",
      'version: 1\nstages: [{ match: { workspace: "prod-*" }, name: live }]\nrules: [{ id: o, limit: { drift: 0 }, scope: { stages: [lvie] } }]\n',
    );
    const below = folder.file(
      "below.yml",
      "version: 1\nrules: [{ id: r, limit: { drift: 0 }, scope: { stages: [live] } }]\n",
    );
    expect(await check(evaluated, below, "--organisation", above, ...ASKED)).toMatchObject({
      code: 0,
      messages: [],
    });
    expect(await check(evaluated, "--organisation", above, ...ASKED)).toMatchObject({
      code: 0,
      messages: [expect.stringMatching(/org\.yml:3:\d+ rules\[0\]\.scope\.stages\[0\] .*"live"\?\)$/)],
    });
  });

  test("says what is wrong with the repository's name, and that nothing of it was evaluated", async () => {
    expect(await check(evaluated, "--repository", "acme/paymnets")).toMatchObject({
      code: 2,
      messages: ["The repository acme/paymnets is not known here", expect.any(String)],
    });
    expect(await check(evaluated, "--repository", "4711")).toMatchObject({
      code: 0,
      messages: [expect.stringMatching(/^note: no pattern was compared/)],
    });
    expect(await check(nowhere(), ...ASKED)).toMatchObject({
      code: 2,
      messages: [expect.stringContaining("there is no Tollgate database in"), expect.any(String)],
    });
  });

  test("warns of authors, approvers and teams that GitHub does not have", async () => {
    const github = await createSandbox({ clock: movableClock(), random: systemRandom, documents: DOCUMENTS });
    onTestFinished(() => github.close());
    github.createOwner({ login: "acme", type: "organisation", admin: "ada" });
    github.createRepository({ owner: "acme", name: "payments" });
    github.createBot("shop-bumper");
    const app = await github.registerApp({ name: "Tollgate", webhookUrl: `${github.url}/nowhere` });
    github.installApp({ appId: app.id, owner: "acme" });
    const people = folder.file(
      "people.yml",
      `version: 1
rules: [{ id: r, limit: { drift: 0 }, scope: { not: { authors: [shop-bumper, ada] } }, approve: { users: [ada], teams: [finpos] } }]
`,
    );
    const credentials = {
      ...{ APP_ID: String(app.id), PRIVATE_KEY: app.privateKey, WEBHOOK_SECRET: app.webhookSecret },
      GHE_HOST: github.url,
    };
    const { code, messages } = await check(
      { ...evaluated, ...credentials },
      "--organisation",
      people,
      ...ASKED,
    );
    expect([code, ...messages].join("\n")).toMatchInlineSnapshot(`
      "0
      warning: ./people.yml:2:65 rules[0].scope.not.authors[0] is no account; the App is "shop-bumper[bot]"
      warning: ./people.yml:2:121 rules[0].approve.teams[0] the team acme/finpos does not exist, so nobody is in it"
    `);
  });

  test("without --repository no database is opened, and nothing is said", async () => {
    expect(await check(evaluated)).toMatchObject({ code: 0, messages: [] });
    expect(await check(nowhere())).toMatchObject({ code: 0, messages: [] });
    const json = await check(evaluated, "--json");
    expect(JSON.parse(json.results)).toMatchObject({ warnings: [], compared: null });
  });
});
