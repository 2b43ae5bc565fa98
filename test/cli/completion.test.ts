import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCRIPTS } from "../../src/cli/commands/completion.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { endpoints } from "../../src/platform/contract/registry.ts";
import { typed } from "./run-command.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** What the program offers in the place of the last word. */
const offered = async (...words: readonly string[]) => {
  const { code, results, messages } = await typed(["completion", "words", "--", ...words]);
  expect([code, messages]).toEqual([0, []]);
  return results === "" ? [] : results.split("\n");
};

describe("the program offers", () => {
  test("commands, and only what continues the word", async () => {
    const all = await offered("");
    for (const { name } of COMMANDS) expect(all).toContain(name.split(" ")[0]);
    expect(await offered("pre")).toEqual(["preview"]);
    expect(await offered("platform", "")).toEqual(
      ["emit", "import", "serve"].filter((word) => COMMANDS.some(({ name }) => name === `platform ${word}`)),
    );
    expect(await offered("nonsense", "")).toEqual([]);
  });

  test("areas, operations, flags and their values", async () => {
    expect(await offered("api", "")).toEqual([...new Set(endpoints.map(({ area }) => area))].sort());
    expect(await offered("api", "--")).toEqual(["--help", "--json", "--list"]);
    expect(await offered("api", "executions", "cost-changes-all-stages-")).toEqual([
      "cost-changes-all-stages-by-modules",
    ]);
    expect(await offered("api", "executions", "list", "--pipeline-e")).toEqual(["--pipeline-execution-id"]);
    expect(await offered("api", "executions", "list", "--status", "")).toEqual([
      "failure",
      "none",
      "success",
    ]);
    expect(await offered("api", "executions", "list", "--status", "=", "f")).toEqual(["failure"]);
    expect(await offered("api", "executions", "list", "--status", "=")).toEqual([
      "failure",
      "none",
      "success",
    ]);
    expect(await offered("api", "nonsense", "list", "--")).toEqual([]);
  });

  test("an option once, unless it may be repeated; nothing where a value is free", async () => {
    const words = ["api", "executions", "list", "--org", "o", "--status", "none"];
    const left = await offered(...words, "--");
    expect(left).not.toContain("--org");
    expect(left).toContain("--status");
    expect(await offered(...words, "--project", "")).toEqual([]);
    expect(await offered("preview", "--format", "")).toEqual(["check", "comment", "json"]);
    expect(await offered("preview", "--plan", "")).toEqual([]);
  });

  test("the same after `help`, and also where --help is among the words", async () => {
    expect(await offered("help", "api", "exec")).toEqual(["executions"]);
    expect(await offered("api", "executions", "list", "--help", "--pro")).toEqual(["--project"]);
  });
});

let bin: string;
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), "tollgate-bin-"));
  writeFileSync(join(bin, "tollgate"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(join(bin, "tollgate"), 0o755);
  for (const [shell, script] of Object.entries(SCRIPTS)) writeFileSync(join(bin, shell), `${script}\n`);
});
afterAll(() => rmSync(bin, { recursive: true }));

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ["-c", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** What a shell says when it runs this. */
const said = (shell: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
    execFile(shell, [...args], { env, cwd: bin }, (error, out, err) =>
      error === null ? resolve(out.trim()) : reject(new Error(`${error.message} ${err}`)),
    );
  });

describe("the scripts print", () => {
  test.each(Object.entries(SCRIPTS))("for %s", async (shell, script) => {
    expect(await typed(["completion", shell])).toEqual({ code: 0, results: script, messages: [] });
  });
});

describe.skipIf(!has("bash"))("bash completes", () => {
  /** Presses the tabulator behind these words, as bash's own machinery does. */
  const completed = (line: string) => {
    const words = line.split(" ");
    const setup = `source ${bin}/bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
    return said("bash", ["--norc", "-c", `${setup}; _tollgate; printf '%s\\n' "\${COMPREPLY[@]}"`]);
  };

  test.each([
    ["tollgate api exec", "executions"],
    ["tollgate api executions list --status = su", "success"],
  ])("%j", async (line, expected) => {
    expect(await completed(line)).toBe(expected);
  });

  test("and is registered for tollgate, with files where nothing is offered", async () => {
    const registered = await said("bash", ["--norc", "-c", `source ${bin}/bash; complete -p tollgate`]);
    expect(registered).toBe("complete -o default -F _tollgate tollgate");
  });
});

describe.skipIf(!has("fish"))("fish completes", () => {
  test.each([
    ["tollgate api exec", "executions"],
    ["tollgate preview --plan fi", "fish"],
  ])("%j", async (line, expected) => {
    expect(await said("fish", ["--no-config", "-c", `source ${bin}/fish; complete -C '${line}'`])).toBe(
      expected,
    );
  });
});

describe.skipIf(!has("zsh"))("zsh completes", () => {
  test("what the program offers", async () => {
    const stub = `compdef() { :; }; compadd() { shift; print -l -- "\${(@P)1}"; }; _files() { print files; }`;
    const at = (words: string) => `words=(${words}); CURRENT=\${#words}; _tollgate`;
    const script = `${stub}; source ${bin}/zsh; ${at("tollgate api exec")}; ${at("tollgate preview --plan ''")}`;
    expect(await said("zsh", ["-f", "-c", script])).toBe("executions\nfiles");
  });
});
