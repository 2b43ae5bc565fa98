import { describe, expect, it, test } from "vitest";
import { findFileOwners, resolveCodeOwners } from "../../src/policy/approvals/code-owners.ts";
import { policy } from "./policies.ts";

const ask = (text: string, ...paths: readonly string[]) =>
  findFileOwners({ file: "CODEOWNERS", text, paths, organisation: "Acme", groups: 1 });

/** Whether the pattern gives the file an owner. */
function isOwned(pattern: string, path: string): boolean {
  const found = ask(`${pattern} @ada`, path);
  if (found.kind !== "found") throw new Error(JSON.stringify(found));
  return found.unowned === null;
}

describe("a pattern of code owners matches as on GitHub", () => {
  test.each([
    ["*", ["a", "a/b.tf", ".github/x"], []],
    ["**", ["a", "a/b"], []],
    ["*.js", ["a.js", "src/b.js"], ["a.jsx", "a.JS"]],
    ["/build/logs/", ["build/logs/a", "build/logs/b/c"], ["build/logs", "x/build/logs/a"]],
    ["docs/*", ["docs/a.md"], ["docs/build/a.md", "x/docs/a.md"]],
    ["apps/", ["apps/a", "x/apps/b/c"], ["apps", "myapps/a"]],
    ["/docs/", ["docs/a/b"], ["x/docs/a"]],
    ["/scripts/", ["scripts/a"], ["Scripts/a"]],
    ["**/logs", ["logs/a", "build/logs/b", "deep/build/logs"], ["build/logsx"]],
    ["/apps/github", ["apps/github", "apps/github/a"], ["apps/githubx", "x/apps/github"]],
    ["infra/db*", ["infra/db1", "infra/db1/main.tf"], ["infra/x/db1"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b/c"], ["a/xb"]],
    ["a/**", ["a/b", "a/b/c"], ["a", "ab"]],
    ["**/**/x", ["x", "a/b/x"], ["ax"]],
    ["/*", ["a"], ["a/b"]],
    ["file?.tf", ["file1.tf", "x/file2.tf"], ["file/.tf", "file.tf"]],
    ["a.b+(c)", ["a.b+(c)"], ["axb+(c)", "a.bb(c)"]],
    ["{a,b}", ["{a,b}"], ["a"]],
    ["my\\ docs/*.md", ["my docs/a.md"], ["my\\ docs/a.md"]],
  ])("%s", (pattern, owned, others) => {
    expect(owned.filter((path) => !isOwned(pattern, path))).toEqual([]);
    expect(others.filter((path) => isOwned(pattern, path))).toEqual([]);
  });
});

it("the last pattern that matches a file counts, also one without owners, and comments are left out", () => {
  const text = `# everything
* @Ada @acme/Platform # both
/infra/ @acme/db @acme/db #two
/infra/open/\r
   /infra/open/x.tf\t@grace`;
  expect(ask(text, "a", "infra/a", "infra/b")).toEqual({
    kind: "found",
    lists: [
      { teams: ["db"], users: [] },
      { teams: ["platform"], users: ["ada"] },
    ],
    unowned: null,
  });
  expect(ask(text, "infra/open/a", "infra/open/b", "infra/open/x.tf")).toEqual({
    kind: "found",
    lists: [{ teams: [], users: ["grace"] }],
    unowned: { path: "infra/open/a", more: 1 },
  });
});

describe("code owners are unknown where", () => {
  const valid = "* @ada\n";
  test.each([
    ["a pattern is negated", "!a @ada", { line: 2, found: "!a" }],
    ["a pattern has no name", "/ @ada", { line: 2, found: "/" }],
    ["a pattern has a range", "a[bc] @ada", { line: 2, found: "a[bc]" }],
    ["a pattern has three stars", "a/***/b @ada", { line: 2, found: "a/***/b" }],
    ["a section of another host begins", "[Docs] @ada", { line: 2, found: "[Docs]" }],
    ["a pattern escapes a comment", "\\#a @ada", { line: 2, found: "\\#a" }],
    ["a line ends in a backslash", "a\\", { line: 2, found: "a\\" }],
    ["an owner is no name", "a @ada grace", { line: 2, found: "grace" }],
    ["an owner is an App", "a @renovate[bot]", { line: 2, found: "@renovate[bot]" }],
  ])("%s", (_, line, expected) => {
    expect(ask(valid + line, "x")).toEqual({ kind: "invalid", file: "CODEOWNERS", more: 0, ...expected });
  });

  test("the owners of a file have no account in the organisation", () => {
    const owners = ["ada@example.com", "@other/db"];
    expect(ask(`${valid}/a ${owners.join(" ")}`, "a", "b")).toEqual({
      ...{ kind: "no_account", file: "CODEOWNERS", path: "a", owners },
    });
    const long = `* ${`${"x".repeat(900)}@example.com `.repeat(900)}`;
    expect(JSON.stringify(ask(long, "a")).length).toBeLessThan(1_000); // each finding states it
    expect(ask("* @acme/ent:octocats", "a")).toMatchObject({ lists: [{ teams: ["ent:octocats"] }] });
    expect(ask(`${valid}/a ada@example.com @grace`, "a")).toMatchObject({ lists: [{ users: ["grace"] }] });
  });

  test("there are more owners than one approval can ask for", () => {
    const paths = Array.from({ length: 61 }, (_, index) => `f${index}`);
    const text = paths.map((path) => `/${path} @owner-${path}`).join("\n");
    expect(ask(text, ...paths)).toEqual({ kind: "too_many", file: "CODEOWNERS" });
    expect(ask(text, ...paths.slice(1)).kind).toBe("found");
    const shared = (owners: string) => paths.map((path) => `/${path} ${owners} @owner-${path}`).join("\n");
    expect(ask(shared("@acme/platform"), ...paths.slice(2)).kind).toBe("found");
    expect(ask(shared("@a @b @c"), ...paths.slice(10)).kind).toBe("too_many");
    const query = { file: "CODEOWNERS", text, paths: paths.slice(11), organisation: "Acme" };
    const kinds = [80, 81].map((groups) => findFileOwners({ ...query, groups }).kind);
    expect(kinds).toEqual(["found", "too_many"]);
  });
});

it("patterns made to be slow take no longer than others", () => {
  const text = Array.from({ length: 50 }, () => `${"*a".repeat(200)}b/**/${"*a".repeat(200)} @ada`).join(
    "\n",
  );
  const startMs = performance.now();
  expect(ask(text, ...Array.from({ length: 20 }, (_, index) => `${"a".repeat(500)}/${index}`)).kind).toBe(
    "found",
  );
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

describe("a rule that asks for code owners", () => {
  const owners = ask("/db/ @acme/db\n/web/ @ada", "db/a", "web/b");
  const partly = ask("/db/ @acme/db", "db/a", "web/b");
  const none = { permission: null };
  const db = { teams: ["db"], users: [], ...none, ownsFiles: true };
  const web = { teams: [], users: ["ada"], ...none, ownsFiles: true };
  const finops = { teams: ["finops"], users: [], ...none };
  const rule = (approve: string) =>
    policy(`rules: [{ id: r, limit: { deletions: 0 }, approve: ${approve} }]`);
  const resolve = (approve: string, found: Parameters<typeof resolveCodeOwners>[1]) =>
    resolveCodeOwners(rule(approve), found).rules[0];

  test.each([
    [
      "each list of owners",
      "{ codeowners: true, count: 2 }",
      owners,
      [
        { ...db, count: 2 },
        { ...web, count: 2 },
      ],
    ],
    [
      "others for files without one",
      "{ codeowners: true, teams: [finops] }",
      partly,
      [
        { ...db, count: 1 },
        { ...finops, count: 1 },
      ],
    ],
    [
      "owners alone where each file has one",
      "{ codeowners: true, teams: [finops] }",
      owners,
      [
        { ...db, count: 1 },
        { ...web, count: 1 },
      ],
    ],
    [
      "every further group",
      "{ all: [{ codeowners: true }, { teams: [finops] }] }",
      owners,
      [
        { ...db, count: 1 },
        { ...web, count: 1 },
        { ...finops, count: 1 },
      ],
    ],
  ])("needs %s", (_, approve, found, groups) => {
    expect(resolve(approve, found)?.approve?.groups).toEqual(groups);
  });

  test.each([
    ["a file has none", "{ codeowners: true }", partly, { kind: "no_owner", path: "web/b", more: 0 }],
    [
      "they are unknown",
      "{ codeowners: true, teams: [finops] }",
      { kind: "files_unknown" } as const,
      { kind: "files_unknown" },
    ],
    ["no file is changed", "{ codeowners: true }", ask("* @ada"), { kind: "files_unknown" }],
    [
      "one of several groups lacks them",
      "{ all: [{ codeowners: true }, { teams: [finops] }] }",
      partly,
      { kind: "no_owner" },
    ],
  ])("can be approved by nobody where %s", (_, approve, found, problem) => {
    expect(resolve(approve, found)).toMatchObject({ approve: null, codeOwners: problem });
  });

  test("names nobody before the owners are found, also not those beside it", () => {
    const [group] =
      rule("{ codeowners: true, teams: [finops], permission: write }").rules[0]?.approve?.groups ?? [];
    expect(group).toMatchObject({ teams: [], users: [], permission: null });
  });
});
