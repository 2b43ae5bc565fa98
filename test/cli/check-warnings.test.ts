import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../src/store/evaluations.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { openDatabase } from "../../src/wiring/database/open-database.ts";
import { evaluation, moduleCost, report, row, stage } from "../render/evaluation-builder.ts";
import { usualDatabaseUrl } from "../world/engines.ts";
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

let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate check "));
  path = join(folder, "tollgate.yml");
  writeFileSync(path, POLICY);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

const REPORT = report(
  [
    stage("prod-network", ["1", "2"], { modules: [moduleCost("web.db", "1")] }),
    stage("staging", ["1", "2"], { modules: [] }),
  ],
  { rows: [row("changed", "aws_instance.a", "staging")] },
);

type Location = Readonly<Record<string, string>>;
const nowhere = (): Location => ({ TOLLGATE_DATA: join(folder, "nothing") });

/** Where a database is in which these pull requests of these repositories have been evaluated. */
async function evaluated(name: string, pulls: readonly (readonly [string, number])[]): Promise<Location> {
  const directory = join(folder, name);
  const url = await usualDatabaseUrl();
  const location =
    url === null ? ({ kind: "directory", directory } as const) : ({ kind: "postgres", url } as const);
  const store = await openDatabase(location, () => {});
  const now = new Date(0);
  for (const [repository, number] of pulls) {
    const id = repository.length;
    const label = { owner_login: "acme", name: repository, owner_id: 1, installation_id: 1 };
    await saveRepository(store.db, { ...label, repository_id: id }, now);
    const fence = await enterLane(store.db, `pull:${id}:${number}`, now);
    const pull = { repositoryId: id, number, repository: `acme/${repository}` };
    const made = evaluation({ pull, report: REPORT });
    await saveEvaluation(store.db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now });
  }
  await store.close();
  return { TOLLGATE_DATA: directory, DATABASE_URL: url ?? "" };
}

function enters(location: Location): void {
  vi.unstubAllEnvs();
  for (const [variable, value] of Object.entries(location)) vi.stubEnv(variable, value);
}

async function check(location: Location, ...more: readonly string[]) {
  enters(location);
  const ended = await typed(["policy", "check", path, ...more]);
  return { ...ended, messages: ended.messages.map((text) => text.replaceAll(folder, ".")) };
}

const ASKED = ["--repository", "acme/payments"];

describe("policy check with the recent pull requests of a repository", () => {
  test("warns of each pattern that matched in none of them, and exits 0", async () => {
    const location = await evaluated("data", [
      ["payments", 1],
      ["payments", 2],
    ]);
    const { code, results, messages } = await check(location, ...ASKED);
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
    const json = await check(location, ...ASKED, "--json");
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
    const location = await evaluated("organisation", [["payments", 1]]);
    const above = join(folder, "org.yml");
    const below = join(folder, "below.yml");
    writeFileSync(
      above,
      'version: 1\nstages: [{ match: { workspace: "prod-*" }, name: live }]\nrules: [{ id: o, limit: { drift: 0 }, scope: { stages: [lvie] } }]\n',
    );
    writeFileSync(below, "version: 1\nrules: [{ id: r, limit: { drift: 0 }, scope: { stages: [live] } }]\n");
    enters(location);
    const both = ["policy", "check", below, "--organisation", above, ...ASKED];
    expect(await typed(both)).toMatchObject({ code: 0, messages: [] });
    expect(await typed(["policy", "check", "--organisation", above, ...ASKED])).toMatchObject({
      code: 0,
      messages: [expect.stringMatching(/org\.yml:3:\d+ rules\[0\]\.scope\.stages\[0\] .*"live"\?\)$/)],
    });
  });

  test("says what is wrong with the repository's name, and that nothing of it was evaluated", async () => {
    const location = await evaluated("other", [["payments", 1]]);
    expect(await check(location, "--repository", "acme/paymnets")).toMatchObject({
      code: 2,
      messages: ["The repository acme/paymnets is not known here", expect.any(String)],
    });
    expect(await check(location, "--repository", "4711")).toMatchObject({
      code: 0,
      messages: [expect.stringMatching(/^note: no pattern was compared/)],
    });
    expect(await check(nowhere(), ...ASKED)).toMatchObject({
      code: 2,
      messages: [expect.stringContaining("there is no Tollgate database in"), expect.any(String)],
    });
  });

  test("without --repository no database is opened, and nothing is said", async () => {
    const location = await evaluated("silent", [["payments", 1]]);
    expect(await check(location)).toMatchObject({ code: 0, messages: [] });
    expect(await check(nowhere())).toMatchObject({ code: 0, messages: [] });
    const json = await check(location, "--json");
    expect(JSON.parse(json.results)).toMatchObject({ warnings: [], compared: null });
  });
});
