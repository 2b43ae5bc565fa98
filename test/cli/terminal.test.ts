import { EventEmitter } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { takeNodeMessages } from "../../src/cli/terminal-messages.ts";
import { VERSION } from "../../src/package/version.ts";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan, resourceChange } from "../plan-files/plan-builder.ts";
import { type Loopback, serveHttp } from "../platform/loopback.ts";
import { usualDatabaseUrl } from "../world/engines.ts";
import { createFolder, words } from "./folder.ts";
import { typed } from "./run-command.ts";
import { spawned } from "./spawn-tollgate.ts";

/** A name of a file, or an argument: clears a terminal, turns the order of letters, is not seen, and begins a message of its own. */
const NAME =
  "x\u001b[2J\u001b]8;;\u0007\u009b2J\r\u202e\u2066\u200f\u200b\u200d\u2060\u2028\ufeff\u115f\u{e0041}\ntollgate: all is well";
/** A text in a file may hold a lone surrogate too. */
const EVIL = `${NAME}\ud800`;
/** In YAML and in JSON. */
const QUOTED = JSON.stringify(EVIL);

const UNSEEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\ufe0f]]/v;
const LETTERS_BEFORE_A_VARIATION = /(?<!\p{Extended_Pictographic})\ufe0f/u;

const folder = createFolder();
afterEach(() => void vi.unstubAllEnvs());

/** Nothing of it acts on a terminal, or looks like another message. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(UNSEEN);
  expect(text).not.toMatch(LETTERS_BEFORE_A_VARIATION);
  expect(text).not.toMatch(/^(?:tollgate: )?tollgate: all is well/m);
}

/** What a command prints, which is harmless. */
async function printed(line: readonly string[]): Promise<string> {
  const { results, messages } = await typed(line);
  const text = [results, ...messages.map((message) => `tollgate: ${message}`)].join("\n");
  expectHarmless(text);
  return text;
}

const evilPlan = () =>
  folder.file(
    "evil.plan",
    plan({ resource_changes: [resourceChange({ address: `cloud_disk.a[${QUOTED}]` })] }),
  );
const evilCosts = () =>
  folder.file("costs", estimate([project(EVIL, ["10", "700", "690"])], ["10", "700", "690"]));
const evilPolicy = () =>
  folder.file("evil.yml", `version: 1\nrules: [{ id: ${QUOTED}, limit: { ${QUOTED}: 1 } }]\n`);
const goodPolicy = () =>
  folder.file(
    "good.yml",
    `version: 1\nrules: [{ id: a, limit: { increase: 1 USD }, per: stage, message: ${JSON.stringify(EVIL.replaceAll("\n", " "))} }]\n`,
  );
const cases = () => {
  goodPolicy();
  const content = `policy: good.yml\ncases:\n  - { case: ${QUOTED}, stages: [{ workspace: ${QUOTED}, after: 5 }], expect: { verdict: pass } }\n`;
  return folder.file("evil.test.yml", content);
};

const EXECUTION = words`--org o --project p --workspace w --repository a/b --sha ${"a".repeat(40)}`;
/** A server that is named starts none for the import. */
const NOWHERE = words`--url http://127.0.0.1:1 --token t`;

it.each(COMMANDS.map(({ name }) => name))(
  "tollgate %s writes an unknown option and operand out",
  async (name) => {
    await printed([...name.split(" "), `--${NAME}`]);
    await printed([...name.split(" "), NAME, NAME]);
  },
);

test.each<[string, () => readonly string[] | Promise<readonly string[]>]>([
  ["an unknown command", () => [NAME]],
  ["a missing plan", () => words`preview --plan ${NAME}`],
  ["a plan that is none", () => words`preview --plan ${folder.file(NAME, "{}")}`],
  ["a format", () => words`preview --plan ${evilPlan()} --format ${NAME}`],
  ["an address of a resource", () => words`preview --plan ${evilPlan()}`],
  ["a stage as JSON", () => words`preview --plan ${evilPlan()} --infracost ${evilCosts()} --json`],
  ["a base branch", () => words`preview --plan ${evilPlan()} --format check --base ${NAME}`],
  ["a policy file", () => words`preview --plan ${evilPlan()} --policy ${evilPolicy()}`],
  ["a missing policy file", () => words`policy check ${NAME}`],
  ["a rule and a limit", () => words`policy check ${evilPolicy()}`],
  ["a rule and a limit as JSON", () => words`policy check ${evilPolicy()} --json`],
  ["a folder of cases", () => words`policy test ${NAME}`],
  ["a case", () => words`policy test ${cases()}`],
  ["a case as JSON", () => words`policy test ${cases()} --json`],
  ["a stage", () => words`policy explain --infracost ${evilCosts()} --policy ${goodPolicy()}`],
  ["a message", () => words`policy explain --infracost ${evilCosts()} --policy ${goodPolicy()} --json`],
  ["a missing export", () => words`audit verify ${NAME}`],
  [
    "a line of an export",
    () => words`audit verify ${folder.file("broken", `{${QUOTED}:${QUOTED}}\n${EVIL}\n`)} ${NAME}`,
  ],
  ["a file to import", () => words`platform import ${NOWHERE} --recommendations ${NAME}`],
  ["a plan to import", () => words`platform import ${EXECUTION} ${NOWHERE} --plan ${NAME}`],
  ["an event", () => words`platform emit --repo infra --event ${NAME}`],
  [
    "a repository",
    async () => {
      const directory = join(folder.path, "begun");
      await (await openDatabase({ kind: "directory", directory }, () => {})).close();
      vi.stubEnv("TOLLGATE_DATA", directory);
      return words`token create --for import --repository ${NAME}`;
    },
  ],
  ["an area", () => words`api ${NAME} ${NAME}`],
  ["an operation", () => words`api executions ${NAME}`],
])("%s with hidden characters is printed with them written out", async (_, line) => {
  expect(await printed(await line())).toMatch(/202e/);
});

test("a setting with hidden characters is refused without printing them", async () => {
  vi.stubEnv("PORT", NAME);
  await printed(["start"]);
});

test("JSON has its exact values, and no character that a terminal acts on", async () => {
  const { results } = await typed(words`preview --infracost ${evilCosts()} --json`);
  expect(results).not.toMatch(UNSEEN);
  expect(JSON.parse(results).report.stages[0].workspace).toContain(EVIL);
});

test("a line of the log contains no character that a terminal acts on, and names the version", () => {
  const lines: string[] = [];
  const log = createLog("info", { destination: { write: (line: string) => lines.push(line) } });
  log.info({ branch: EVIL }, `read ${EVIL}`);
  expectHarmless(lines.join(""));
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ branch: EVIL, version: VERSION });
});

describe("what a platform answers is printed harmlessly", () => {
  const list = [{ [EVIL]: EVIL, name: EVIL }];
  const refusal = { [EVIL]: EVIL, list, message: EVIL, code: EVIL };
  let platform: Loopback;
  let answer = { status: 200, body: "" };
  beforeAll(async () => {
    platform = await serveHttp((_, response) => {
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });
  afterAll(() => platform.stop());

  const get =
    "api executions get --org a --project b --pipeline-execution-id run-9 --pipeline-stage-id s --account c";
  const emit = "platform emit --repo infra --event branch_created";
  const costs = () => folder.file("costs.json", estimate([project("w", ["1", "2", "1"])], ["1", "2", "1"]));
  const send = () => words`platform import ${EXECUTION} --infracost ${costs()}`;
  const deliveries = [{ delivery_id: 1, webhook_id: 2, webhook_identifier: EVIL }];

  it.each<[string, number, object, () => readonly string[]]>([
    ["by `api`, as a table", 200, refusal, () => get.split(" ")],
    ["by `api`, as JSON", 200, refusal, () => words`${get.split(" ")} --json`],
    ["by `api`, when it refuses", 400, refusal, () => get.split(" ")],
    ["by `api`, when it finds nothing", 404, refusal, () => get.split(" ")],
    ["by `platform import`, when it refuses", 409, refusal, send],
    ["by `platform emit`, when it refuses", 400, refusal, () => emit.split(" ")],
    [
      "by `platform emit`, when it names a webhook",
      202,
      { event: "branch_created", deliveries },
      () => emit.split(" "),
    ],
  ])("%s", async (_, status, body, line) => {
    answer = { status, body: JSON.stringify(body) };
    const there = words`--url ${`http://127.0.0.1:${platform.port}`} --token secret`;
    expect(await printed([...line(), ...there])).toMatch(/202e|all is well/);
  });
});

test("what the store contains is printed harmlessly by `audit export`, and the export still verifies", async () => {
  const url = await usualDatabaseUrl();
  const directory = join(folder.path, "data");
  vi.stubEnv("TOLLGATE_DATA", directory);
  vi.stubEnv("DATABASE_URL", url ?? "");
  const store = await openDatabase(
    url === null ? { kind: "directory", directory } : { kind: "postgres", url },
    () => {},
  );
  const decision = {
    ...{ kind: "verdict" as const, repositoryId: 1, number: 7, headSha: "a".repeat(40) },
    ...{ baseRef: NAME, checkName: NAME, digest: "one", situation: "evaluated", decision: "failure" },
    ...{ policyBlobs: [], findings: [{ rule: "a", outcome: "violated", subject: NAME }] },
  };
  await appendDecision(store.db, decision, new Date(0));
  await store.close();
  const { results } = await typed(["audit", "export"]);
  expectHarmless(results);
  expect(results).toMatch(/202e/);
  expect((await typed(["audit", "verify", folder.file("export.ndjson", `${results}\n`)])).code).toBe(0);
});

test("a warning that a library has Node print reaches the terminal harmlessly", async () => {
  const body = folder.file("body.yaml", `? ["${"\u202e\u200d"}"]\n: 1\n`);
  const line = words`api executions create --org a --project b --url http://127.0.0.1:9 --token x --account c --body ${body}`;
  const { out, err } = await spawned(line, {});
  expectHarmless(out + err);
  expect(out + err).toMatch(/202e/);
});

test("an uncaught error is reported harmlessly, without its words, and ends the process with 2", () => {
  const node = Object.assign(new EventEmitter(), { exit: vi.fn() });
  const lines: string[] = [];
  takeNodeMessages(node, { result: () => {}, message: (text) => lines.push(text), exit: () => {} });
  node.emit("uncaughtException", Object.assign(new RangeError(EVIL), { name: EVIL }));
  expect(node.exit).toHaveBeenCalledExactlyOnceWith(2);
  expectHarmless(lines.join("\n"));
  expect(lines[0]).toMatch(/^This is a fault of Tollgate itself/);
});

test("nothing under src writes to the standard output or error but the programs and the log", () => {
  const root = join(import.meta.dirname, "../../src");
  const writers = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.[jt]s$/.test(path))
    .filter((path) =>
      /process\.std(?:out|err)|\bconsole\.\w|pino\.destination|_rawDebug/.test(
        readFileSync(join(root, path), "utf8"),
      ),
    );
  expect(writers.sort()).toEqual([
    "action/main.ts",
    "cli/program.ts",
    "cli/tollgate.js",
    "wiring/process/log.ts",
  ]);
});
