import { readFileSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import { parseRepository } from "../../src/cli/commands/platform-import.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { planOf } from "../plan-files/plan-builder.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";
import { spawned } from "./spawn-tollgate.ts";

const { file } = createFolder();

describe("typing something wrong", () => {
  test.each([
    [["previw"], "unknown command 'previw' (Did you mean preview?)"],
    [["platform", "imprt"], "unknown command 'imprt' (Did you mean import?)"],
    [["platform"], /^Usage: tollgate platform .*serve .*import .*emit /s],
    [["nonsense", "--x"], "unknown command 'nonsense'"],
    [["preview", "--plann", "x"], "unknown option '--plann' (Did you mean --plan?)"],
    [["preview", "-p", "x"], "unknown option '-p'"],
    [["preview", "--plan"], "option '--plan <FILE...>' argument missing"],
    [
      ["preview", "--plan", "--json"],
      "option '--plan <FILE...>' argument '--json' is invalid. It looks like an option; write --plan=--json if it is a value.",
    ],
    [["preview", "--policy", ""], "option '--policy <FILE>' argument '' is invalid. A value is missing."],
    [["policy", "check", "--json=yes", "x"], "unknown option '--json=yes'"],
    [
      ["preview", "--policy", "a", "--policy", "b"],
      "option '--policy <FILE>' argument 'b' is invalid. --policy is given twice.",
    ],
    [
      ["preview", "--format", "jsn", "--plan", "x"],
      "option '--format <FORMAT>' argument 'jsn' is invalid. Allowed choices are comment, check, json.",
    ],
    [
      ["preview", "plan.json"],
      "too many arguments for 'preview'. Expected 0 arguments but got 1: plan.json.",
    ],
    [["preview"], "There is nothing to preview: give --infracost FILE, --plan FILE or both."],
    [["preview", "--plan", "-", "--infracost", "-"], "The standard input can be one file only."],
    [["preview", "--plan", "/no/such/file"], "/no/such/file cannot be read: there is no such file"],
    [["preview", "--infracost", "/"], "/ cannot be read: it is a directory"],
    [
      ["platform", "import", "--org", "a"],
      "--project PROJECT, --workspace WORKSPACE, --repository OWNER/NAME, --sha SHA and --plan FILE or --infracost FILE are missing.",
    ],
    [
      ["platform", "import", "--org", "a", "--project", "b", "--workspace", "c", "--plan", "x", "--sha", "d"],
      "--repository OWNER/NAME is missing.",
    ],
    [
      ["platform", "import", "--url", "http://127.0.0.1:9", "--token", "t", "--plan", "x"],
      "--workspace WORKSPACE and --sha SHA are missing.",
    ],
    [
      ["platform", "import"],
      "There is nothing to import: give --plan FILE, --infracost FILE, --nothing-to-plan, or one of the files of an account.",
    ],
  ])("%j", async (words, message) => {
    const ended = await typed(words);
    expect(ended.code).toBe(2);
    if (typeof message === "string") expect(ended.messages[0]).toBe(message);
    else expect(ended.messages[0]).toMatch(message);
    expect(ended.messages.at(-1)).toMatch(/--help|^Give the path|Usage:/);
    expect(ended.results).toBe("");
  });

  test("nothing at all shows the help as a message", async () => {
    const { code, results, messages } = await typed([]);
    expect([code, results]).toEqual([2, ""]);
    expect(messages[0]).toContain("Usage: tollgate COMMAND");
  });
});

describe("help", () => {
  test("names every command", async () => {
    const { code, results } = await typed(["--help"]);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) expect(results).toMatch(new RegExp(`  ${name} +${summary}`));
  });

  test.each([[["preview", "--help"]], [["help", "preview"]], [["preview", "--plan", "x", "-h"]]])(
    "of one command: %j",
    async (words) => {
      const { code, results } = await typed(words);
      expect(code).toBe(0);
      expect(results).toContain("Usage: tollgate preview [options]");
      expect(results).toMatch(/--plan <FILE\.\.\.> +a Terraform or OpenTofu plan as JSON/);
      expect(results).toContain('what to print (choices: "comment", "check", "json", default: "comment")');
    },
  );

  test("of every command loads", async () => {
    for (const { name } of COMMANDS)
      for (const help of ["--help", "-h"]) expect((await typed([...name.split(" "), help])).code).toBe(0);
  });
});

test.each(["--version", "-V"])("%s prints the version of package.json", async (option) => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await typed([option])).toEqual({ code: 0, results: manifest.version, messages: [] });
});

test("a fault of our own shows where it happened and quotes nothing", async () => {
  const broken = () => new Command().action(() => Promise.reject(new SyntaxError("hunter2 is no JSON")));
  const row = { name: "break", summary: "", load: async () => broken };
  const { code, messages } = await typed(["break"], [row]);
  expect(code).toBe(2);
  expect(messages[0]).toContain("SyntaxError");
  expect(messages.join("\n")).not.toContain("hunter2");
  expect(messages.length).toBeGreaterThan(1);
});

test.each([
  ["acme/pay", "acme/pay", "https://github.com/acme/pay"],
  ["https://token@ghe.example.com/acme/pay.git", "acme/pay", "https://ghe.example.com/acme/pay.git"],
  ["git@github.com:acme/pay.git", "acme/pay", "git@github.com:acme/pay.git"],
  ["acme", null, null],
  ["acme/..", null, null],
  ["https://github.com/acme", null, null],
])("the repository %s", (text, whole, url) => {
  const found = parseRepository(text);
  expect(found && `${found.owner}/${found.name}`).toBe(whole);
  expect(found?.url ?? null).toBe(url);
});

test("a process ends with the command's exit code, results apart from messages, and its policy thread ends too", async () => {
  const plan = file("plan.json", planOf({ actions: ["delete"] }));
  const policy = file(
    "tollgate.yml",
    "version: 1\nrules:\n  - { id: r, limit: { deletions: 0 }, scope: { workspaces: [production] } }\n  - { id: all, limit: { deletions: 0 } }\n",
  );
  const { code, out, err } = await spawned(["preview", "--plan", plan, "--policy", policy, "--json"], {});
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ verdict: { kind: "block" } });
  expect(err).toMatch(/^tollgate: note: r: not applicable to these files/);
});
