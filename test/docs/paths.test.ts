import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenLinks, missingPaths, missingScripts, type Page, ROOT } from "./claims.ts";
import { unknownCommands } from "./command-lines.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const pages: readonly Page[] = globSync(
  ["README.md", "CONTRIBUTING.md", "docs/**/*.md", "{src,test,scripts,sandbox}/**/README.md"],
  { cwd: ROOT },
)
  .sort()
  .map((path) => ({ path, text: read(path) }));
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const pageOf = (text: string, path = "docs/page.md"): Page => ({ path, text });

/** Every problem that a check finds, after the page that has it. */
const problems = async (
  check: (page: Page) => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const found = pages.map(async (page) => (await check(page)).map((problem) => `${page.path}: ${problem}`));
  return (await Promise.all(found)).flat();
};

describe("the documentation", () => {
  it("names paths of this repository that exist", async () => {
    expect(await problems(missingPaths)).toEqual([]);
  });

  it("runs npm scripts that exist", async () => {
    expect(await problems((page) => missingScripts(page, scripts))).toEqual([]);
  });

  it("shows commands and options that the command line has", async () => {
    expect(await problems(unknownCommands)).toEqual([]);
  });

  it("links to files and headings that exist", async () => {
    expect(await problems((page) => brokenLinks(page, read))).toEqual([]);
  });

  it("is checked as a whole: README, reference pages, decision records and the README of each folder", () => {
    const paths = pages.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "README.md",
        "docs/operations/running.md",
        "src/policy/README.md",
        "src/wiring/ci/README.md",
        "test/simulation/README.md",
        "scripts/README.md",
      ]),
    );
    expect(paths.some((path) => path.startsWith("docs/decisions/"))).toBe(true);
  });
});

describe("the check of the documentation", () => {
  it("reports a path from the root, a source file and a folder that do not exist", () => {
    const text =
      "`src/no-such/file.ts`, `no-such.ts`, `no-such/`, `docs/no-such.md` and `src/policy/`, `policy/`";
    const shell = "```sh\ntollgate policy test examples/no-such.yml\n```";
    expect(missingPaths(pageOf(`${text}\n\n${shell}\n`))).toEqual([
      "src/no-such/file.ts",
      "no-such.ts",
      "no-such/",
      "docs/no-such.md",
      "examples/no-such.yml",
    ]);
  });

  it("reports an npm script that does not exist", () => {
    const text =
      "`npm run no-such`, `npm run --silent tollgate`, `npm test`\n\n```sh\nnpm run also:none\n```\n";
    expect(missingScripts(pageOf(text), scripts)).toEqual(["no-such", "also:none"]);
  });

  it("reports commands, operations and options that the command line does not have", async () => {
    const text = [
      "`tollgate no-such`, `tollgate start`, `policy check --no-such`, `/tollgate help`, `tollgate api executions list|none`",
      "```sh",
      "tollgate audit export --from 2027-01-01 \\",
      "  --none > file # tollgate none",
      "tollgate api executions list --org acme --none",
      "docker run --name tollgate --detach tollgate start",
      "docker exec tollgate node /app/dist/cli/tollgate.js token none",
      "```",
      "",
    ].join("\n");
    expect(await unknownCommands(pageOf(text))).toEqual([
      "tollgate no-such: no command no-such",
      "tollgate api executions list|none: no command none",
      "policy check --no-such: no option --no-such",
      "tollgate audit export --from 2027-01-01 --none > file # tollgate none: no option --none",
      "tollgate api executions list --org acme --none: no option --none",
      "docker exec tollgate node /app/dist/cli/tollgate.js token none: no command none",
    ]);
  });

  it("reports links to files and headings that do not exist", () => {
    const text =
      "# One `of` two\n[a](#one-of-two) [b](#none) [c](approvals.md#commands) [d](none.md) [e](https://example.com/x)";
    const here = pageOf(text, "docs/platform.md");
    expect(brokenLinks(here, (path) => (path === here.path ? text : read(path)))).toEqual([
      "#none",
      "none.md",
    ]);
  });
});
