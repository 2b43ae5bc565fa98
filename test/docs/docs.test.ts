import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../src/policy/file/parse.ts";
import { OperatorFile, parseOperatorFile } from "../../src/settings/operator.ts";
import { readSettings } from "../../src/settings/read.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const records = readdirSync(join(ROOT, "docs/decisions"))
  .filter((name) => name !== "README.md")
  .sort();
const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** An import of a package, types alone excepted: its name. */
const LIBRARY = /^import (?!type )[^;]*? from "(?!node:|[.])((?:@[^/"]+\/)?[^/"]+)/gm;

const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```/gm)]
    .filter(([, , name]) => name === language)
    .map(([, indent = "", , body = ""]) => body.replaceAll(new RegExp(`^${indent}`, "gm"), ""));

describe("the documents", () => {
  it("the platform's pages name members that the platform has", () => {
    const sources = globSync(["src/platform/**/*.ts", "src/platform-server/**/*.ts"], { cwd: ROOT });
    const known = new Set(sources.flatMap((path) => read(path).match(/\w+/g) ?? []));
    const isKnown = (word: string) =>
      known.has(word) || known.has(word.replace(/^(aws|azure|gcp)(?=[A-Z])/, "cloud1"));
    const pages = globSync(["docs/platform*.md"], { cwd: ROOT });
    const unknown = pages.flatMap((path) =>
      [...read(path).matchAll(/`[^`\n]+`/g)]
        .flatMap(([code]) => code.match(/\b[a-z]\w*[A-Z]\w*/g) ?? [])
        .filter((word) => !isKnown(word))
        .map((word) => `${path}: ${word}`),
    );
    expect(unknown).toEqual([]);
  });

  it("the readme is short, and its policy is one", () => {
    const readme = read("README.md");
    expect(readme.split("\n").length).toBeLessThanOrEqual(150);
    const [policy = ""] = blocks(readme, "yaml");
    expect(
      parsePolicy({ repository: { file: "README.md", text: policy }, organisation: null }),
    ).toMatchObject({ state: "ok" });
  });

  it("the demo's policy is one", () => {
    const text = read("examples/demo/tollgate.yml");
    expect(parsePolicy({ repository: { file: "tollgate.yml", text }, organisation: null })).toMatchObject({
      state: "ok",
    });
  });

  it("the operator's file in the documents is valid, and every setting and every key is documented", () => {
    const settings = read("docs/operations/settings.md");
    const [file = ""] = blocks(read("docs/operations/operator-file.md"), "yaml");
    const environment = {
      SLACK_FINOPS_URL: "https://hooks.slack.com/services/T0/B0/x",
      TEAMS_PLATFORM_URL: "https://teams.example.com/workflows/x",
      SMTP_URL: "smtps://user:password@mail.example.com",
      TOLLGATE_HOOK_SECRET: "0123456789abcdef01234567",
    };
    expect(parseOperatorFile(file, environment)).toMatchObject({ state: "ok" });
    const [targets = ""] = blocks(read("docs/operations/notifications.md"), "yaml");
    expect(parseOperatorFile(targets, environment)).toMatchObject({ state: "ok" });
    const keys = Object.keys(OperatorFile.shape).filter((key) => !new RegExp(`^${key}:`, "m").test(file));
    expect(keys).toEqual([]);
    const source = read("src/settings/read.ts");
    const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): z?/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
    expect(readSettings({}).port).toBe(3000);
  });

  it.each(folders)("the README of %s says in at most fifteen lines what the folder is for", (folder) => {
    expect(read(`src/${folder}/README.md`).trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  });

  it.each(records)(
    "the decision record %s has a status, a date, context, decision and consequences",
    (name) => {
      const text = read(`docs/decisions/${name}`);
      expect(text).toMatch(
        /^# .+\n\n- Status: (accepted|superseded by \[\d{4}\]).*\n- Date: \d{4}-\d{2}-\d{2}\n/,
      );
      expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
        "Context",
        "Decision",
        "Consequences",
      ]);
    },
  );

  it("the index of the decision records lists each once, by its title and in order", () => {
    const listed = [...read("docs/decisions/README.md").matchAll(/^- \[(\d{4})\]\((\S+)\) ([^\n]+)/gm)];
    expect(listed.map(([, , name]) => name)).toEqual(records);
    const titles = records.map((name) => read(`docs/decisions/${name}`).split("\n", 1)[0]?.slice(2) ?? "");
    expect(titles.filter((title, index) => !listed[index]?.[3]?.startsWith(`${title}:`))).toEqual([]);
  });

  it("every library that the sources use has its reason among the decisions", () => {
    const used = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...read(`src/${file}`).matchAll(LIBRARY)].map(([, name = ""]) => name));
    const decisions = readdirSync(join(ROOT, "docs/decisions"))
      .map((name) => read(`docs/decisions/${name}`))
      .join("\n");
    expect(new Set(used).size).toBeGreaterThan(20);
    expect([...new Set(used)].filter((name) => !decisions.includes(`\`${name}\``))).toEqual([]);
  });
});
