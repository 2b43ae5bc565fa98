import { EventEmitter } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import { takeNodeMessages } from "../../src/cli/terminal-messages.ts";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { openDatabase } from "../../src/wiring/database/open-database.ts";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { type Loopback, serveHttp } from "../platform/loopback.ts";
import { typed } from "./run-command.ts";
import { spawned } from "./spawn-tollgate.ts";

/** Acts on a terminal, turns the order of letters, is not seen, and begins a message of its own. */
const HOSTILE =
  "x\u001b]8;;\u0007\u009b2J\r\u202e\u2066\u200b\u200c\u200d\u2060\ufeff\u115f\u{e0041}\ntollgate: all is well";
const UNSEEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\ufe0f]]/v;
const LETTERS_BEFORE_A_VARIATION = /(?<!\p{Extended_Pictographic})\ufe0f/u;

function expectHarmless(text: string): void {
  expect(text).toMatch(/202e|all is well/); // it was printed at all
  expect(text).not.toMatch(UNSEEN);
  expect(text).not.toMatch(LETTERS_BEFORE_A_VARIATION);
  expect(text).not.toMatch(/^(?:tollgate: )?tollgate: all is well/m);
}

async function printed(words: readonly string[]): Promise<string> {
  const { results, messages } = await typed(words);
  return [results, ...messages.map((line) => `tollgate: ${line}`)].join("\n");
}

const folder = mkdtempSync(join(tmpdir(), "tollgate-outside-"));
const file = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.unstubAllEnvs());

describe("what a platform answers is printed harmlessly", () => {
  const body = {
    [HOSTILE]: HOSTILE,
    list: [{ [HOSTILE]: HOSTILE, name: HOSTILE }],
    message: HOSTILE,
    code: HOSTILE,
  };
  let platform: Loopback;
  let answer = { status: 200, body: "" };
  beforeAll(async () => {
    platform = await serveHttp((_, response) => {
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });
  afterAll(() => platform.stop());
  const there = () => ["--url", `http://127.0.0.1:${platform.port}`, "--token", "secret"];

  it.each([
    ["as a table", 200, []],
    ["as JSON", 200, ["--json"]],
    ["when it refuses", 400, []],
    ["when it finds nothing", 404, []],
    ["when it fails", 500, []],
  ] as const)("by `api`, %s", async (_, status, more) => {
    answer = { status, body: JSON.stringify(body) };
    const stage = ["--pipeline-execution-id", "run-9", "--pipeline-stage-id", "stage-1"];
    const words = [
      "api",
      "executions",
      "get",
      "--org",
      "a",
      "--project",
      "b",
      ...stage,
      ...there(),
      "--account",
      "c",
    ];
    expectHarmless(await printed([...words, ...more]));
  });

  it.each([400, 403, 409])("by `platform import`, when it refuses with %i", async (status) => {
    answer = { status, body: JSON.stringify(body) };
    const costs = file("costs.json", estimate([project("w", ["1", "2", "1"])], ["1", "2", "1"]));
    const of = [
      "--org",
      "o",
      "--project",
      "p",
      "--workspace",
      "w",
      "--repository",
      "a/b",
      "--sha",
      "a".repeat(40),
    ];
    expectHarmless(await printed(["platform", "import", ...of, "--infracost", costs, ...there()]));
  });

  it.each([[], ["--json"]])("by `platform emit` with %j", async (...more) => {
    answer = { status: 400, body: JSON.stringify(body) };
    const words = ["platform", "emit", "--repo", "infra", "--event", "branch_created", ...there()];
    expectHarmless(await printed([...words, ...more]));
  });

  it("by `platform emit`, when it names a webhook in two lines", async () => {
    const deliveries = [{ delivery_id: 1, webhook_id: 2, webhook_identifier: HOSTILE }];
    answer = { status: 202, body: JSON.stringify({ event: "branch_created", deliveries }) };
    const { code, results } = await typed([
      ...["platform", "emit", "--repo", "infra", "--event", "branch_created"],
      ...there(),
    ]);
    expect(code).toBe(0);
    expectHarmless(results);
    expect(results.split("\n")).toHaveLength(1);
  });
});

describe("what the store contains is printed harmlessly", () => {
  const data = join(folder, "data");
  beforeAll(async () => {
    const store = await openDatabase({ kind: "directory", directory: data }, () => {});
    const at = new Date(Date.UTC(2027, 0, 1));
    const names = { owner_login: "acme", name: "shop", owner_id: 5, installation_id: 6 };
    await saveRepository(store.db, { repository_id: 1, ...names }, at);
    const record = {
      kind: "verdict" as const,
      repositoryId: 1,
      number: 7,
      headSha: "a".repeat(40),
      baseRef: HOSTILE,
      checkName: HOSTILE,
      digest: "one",
      situation: "evaluated",
      decision: "failure",
      policyBlobs: [],
      findings: [{ rule: "a", outcome: "violated", subject: HOSTILE }],
    };
    await appendDecision(store.db, record, at);
    await store.close();
  });

  it("by `audit export`, and the export still verifies", async () => {
    vi.stubEnv("TOLLGATE_DATA", data);
    const { results } = await typed(["audit", "export"]);
    expectHarmless(results);
    expect((await typed(["audit", "verify", file("export.ndjson", `${results}\n`)])).code).toBe(0);
  });

  it("by `audit verify`, of lines that are none", async () => {
    const broken = file(
      "broken.ndjson",
      `${JSON.stringify({ [HOSTILE]: HOSTILE, record: HOSTILE })}\n${HOSTILE}\n`,
    );
    const text = await printed(["audit", "verify", broken]);
    expect(text).not.toMatch(UNSEEN);
  });
});

test("a warning that a library has Node print reaches the terminal harmlessly", async () => {
  const body = file("body.yaml", `? ["${"\u202e\u200d"}"]\n: 1\n`);
  const of = [
    "--org",
    "a",
    "--project",
    "b",
    "--url",
    "http://127.0.0.1:9",
    "--token",
    "x",
    "--account",
    "c",
  ];
  const { out, err } = await spawned(["api", "executions", "create", ...of, "--body", body], {});
  expectHarmless(out + err);
});

test("an uncaught error is reported harmlessly, without its words, and ends the process with 2", () => {
  const node = Object.assign(new EventEmitter(), { exit: vi.fn() });
  const lines: string[] = [];
  takeNodeMessages(node, { result: () => {}, message: (text) => lines.push(text), exit: () => {} });
  node.emit("uncaughtException", Object.assign(new RangeError(HOSTILE), { name: HOSTILE }));
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
