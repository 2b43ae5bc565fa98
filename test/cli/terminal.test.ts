import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { VERSION } from "../../src/package/version.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan, resourceChange } from "../plan-files/plan-builder.ts";
import { typed } from "./run-command.ts";

/** Clears a terminal in three ways, turns the order of letters, and begins a message of its own. */
const EVIL = "x\u001b[2J\u009b2J\r\u202e\u2066\u200f\u2028\ud800\ntollgate: all is well";
/** A name of a file, and an argument of a program, holds no lone surrogate. */
const NAME = EVIL.replace("\ud800", "");
/** In YAML and in JSON. */
const QUOTED = JSON.stringify(EVIL);

const ACTING = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--\n]/v;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-terminal-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

function file(content: object | string, name = NAME): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** What is printed by a command; nothing of it acts on a terminal, or looks like another message. */
async function printed(words: readonly string[]): Promise<string> {
  const { results, messages } = await typed(words);
  const text = [results, ...messages].join("\n");
  expect(text).not.toMatch(ACTING);
  expect(text).not.toMatch(/^tollgate: all is well/m);
  return text;
}

const evilPlan = () =>
  file(plan({ resource_changes: [resourceChange({ address: `cloud_disk.a[${QUOTED}]` })] }), `${NAME}.plan`);
const evilCosts = () => file(estimate([project(EVIL, ["10", "700", "690"])], ["10", "700", "690"]), "costs");
const evilPolicy = () => file(`version: 1\nrules: [{ id: ${QUOTED}, limit: { ${QUOTED}: 1 } }]\n`);
const goodPolicy = () =>
  file(
    `version: 1\nrules: [{ id: a, limit: { increase: 1 USD }, per: stage, message: ${JSON.stringify(EVIL.replaceAll("\n", " "))} }]\n`,
    "good.yml",
  );
const cases = () => {
  goodPolicy();
  const content = `policy: good.yml\ncases:\n  - { case: ${QUOTED}, stages: [{ workspace: ${QUOTED}, after: 5 }], expect: { verdict: pass } }\n`;
  return file(content, `${NAME}.test.yml`);
};

/** A server that is named starts none for the import. */
const SERVER = "--url http://127.0.0.1:1 --token t".split(" ");
const IMPORT = "platform import --org o --project p --workspace w --repository a/b".split(" ");

describe.each(COMMANDS.map(({ name }) => name))("tollgate %s prints what it is given harmlessly", (name) => {
  it.each([
    ["an option", [`--${NAME}`]],
    ["an operand", [NAME, NAME]],
    ["a value", [`--json=${NAME}`]],
  ])("%s that nobody knows", async (_, more) => {
    await printed([...name.split(" "), ...more]);
  });
});

test.each<[string, () => readonly string[]]>([
  ["an unknown command", () => [NAME]],
  ["a missing plan", () => ["preview", "--plan", NAME]],
  ["a plan that is none", () => ["preview", "--plan", file("{}")]],
  ["a format", () => ["preview", "--plan", evilPlan(), "--format", NAME]],
  ["an address of a resource", () => ["preview", "--plan", evilPlan()]],
  ["a stage as JSON", () => ["preview", "--plan", evilPlan(), "--infracost", evilCosts(), "--json"]],
  ["a base branch", () => ["preview", "--plan", evilPlan(), "--format", "check", "--base", NAME]],
  ["a policy file", () => ["preview", "--plan", evilPlan(), "--policy", evilPolicy()]],
  ["a missing policy file", () => ["policy", "check", NAME]],
  ["a rule and a limit", () => ["policy", "check", evilPolicy()]],
  ["a rule and a limit as JSON", () => ["policy", "check", evilPolicy(), "--json"]],
  ["a folder of cases", () => ["policy", "test", NAME]],
  ["a case", () => ["policy", "test", cases()]],
  ["a case as JSON", () => ["policy", "test", cases(), "--json"]],
  ["a stage", () => ["policy", "explain", "--infracost", evilCosts(), "--policy", goodPolicy()]],
  ["a message", () => ["policy", "explain", "--infracost", evilCosts(), "--policy", goodPolicy(), "--json"]],
  ["a missing export", () => ["audit", "verify", NAME]],
  ["a file to import", () => ["platform", "import", ...SERVER, "--recommendations", NAME]],
  ["a plan to import", () => [...IMPORT, ...SERVER, "--sha", "a".repeat(40), "--plan", NAME]],
  ["an event", () => ["platform", "emit", "--repo", "infra", "--event", NAME]],
  ["a repository", () => ["token", "create", "--for", "import", "--repository", NAME]],
  ["an area", () => ["api", NAME, NAME]],
  ["an operation", () => ["api", "executions", NAME]],
])("%s with hidden characters is printed with them written out", async (_, words) => {
  expect(await printed(words())).toMatch(/202e/);
});

test("a setting with hidden characters is refused without printing them", async () => {
  vi.stubEnv("PORT", NAME.replace("\ud800", ""));
  await printed(["start"]);
});

test("JSON has its exact values, and no character that a terminal acts on", async () => {
  const { results } = await typed(["preview", "--infracost", evilCosts(), "--json"]);
  expect(results).not.toMatch(ACTING);
  expect(JSON.parse(results).report.stages[0].workspace).toContain(EVIL);
});

test("a line of the log contains no character that a terminal acts on, and names the version", () => {
  const lines: string[] = [];
  const log = createLog("info", { destination: { write: (line: string) => lines.push(line) } });
  log.info({ branch: EVIL }, `read ${EVIL}`);
  expect(lines.join("")).not.toMatch(ACTING);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ branch: EVIL, version: VERSION });
});
