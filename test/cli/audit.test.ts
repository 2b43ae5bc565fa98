import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { usualDatabaseUrl } from "../world/engines.ts";
import { createFolder, words } from "./folder.ts";
import { asWritten, typed } from "./run-command.ts";
import { spawned } from "./spawn-tollgate.ts";

const { file, path: directory } = createFolder();
const data = join(directory, "data");

beforeAll(async () => {
  const url = await usualDatabaseUrl();
  vi.stubEnv("TOLLGATE_DATA", data);
  vi.stubEnv("DATABASE_URL", url ?? "");
  const store = await openDatabase(
    url === null ? { kind: "directory", directory: data } : { kind: "postgres", url },
    () => {},
  );
  for (const [repositoryId, digest] of [
    [1, "one"],
    [2, "two"],
    [1, "three"],
  ] as const) {
    const at = new Date(Date.UTC(2027, 0, repositoryId));
    const names = { owner_login: "acme", name: `shop-${repositoryId}`, owner_id: 5, installation_id: 6 };
    await saveRepository(store.db, { repository_id: repositoryId, ...names }, at);
    await appendDecision(store.db, decision(repositoryId, digest), at);
  }
  await store.close();
});
afterAll(() => void vi.unstubAllEnvs());

const decision = (repositoryId: number, digest: string) => ({
  ...{ kind: "verdict" as const, repositoryId, number: 7, headSha: "a".repeat(40), baseRef: "main", digest },
  ...{
    checkName: "tollgate: main",
    situation: "evaluated",
    decision: "success",
    policyBlobs: [],
    findings: [],
  },
});

const tollgate = async (line: readonly string[]) => asWritten(await typed(line));

const exported = async (...more: readonly string[]): Promise<readonly string[]> => {
  const { code, out } = await tollgate(["audit", "export", ...more]);
  expect(code).toBe(0);
  return out.trimEnd().split("\n");
};

describe("tollgate audit export", () => {
  it("writes the chain as lines of JSON and says its head apart from them", async () => {
    const { code, out, err } = await tollgate(["audit", "export", "--json"]);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines.map((line) => Object.keys(line).join(" "))).toEqual([
      "seq previous hash record",
      "seq previous hash record",
      "seq previous hash record",
      "head",
    ]);
    expect(err).toBe(`tollgate: head: ${lines[3].head.hash} after 3 decisions\n`);
  });

  it.each([
    ["a repository by its name", ["--repository", "acme/shop-1"], [true, false, true]],
    ["a repository by its number", ["--repository", "2"], [false, true, false]],
    ["days", ["--from", "2027-01-02", "--to", "2027-01-03"], [false, true, false]],
  ])("of %s leaves out the words of the others, and is proven all the same", async (_, more, told) => {
    const lines = await exported(...more);
    expect(lines.slice(0, -1).map((line) => "record" in JSON.parse(line))).toEqual(told);
    expect((await tollgate(["audit", "verify", file("some.jsonl", lines.join("\n"))])).code).toBe(0);
  });

  it.each([
    [
      "a repository that nobody knows",
      ["--repository", "acme/none"],
      /no repository "acme\/none" is known here/,
    ],
    ["a day that there is not", ["--from", "2027-02-30"], /--from takes a day/],
  ])("refuses %s", async (_, more, because) => {
    const { code, out, err } = await tollgate(["audit", "export", ...more]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(because);
  });

  it("does not take a wrong directory for one in which nothing was decided, and begins nothing there", async () => {
    const wrong = join(directory, "wrong");
    vi.stubEnv("TOLLGATE_DATA", wrong);
    const usual = process.env["DATABASE_URL"] ?? "";
    vi.stubEnv("DATABASE_URL", "");
    const { code, out, err } = await tollgate(["audit", "export"]);
    vi.stubEnv("TOLLGATE_DATA", data);
    vi.stubEnv("DATABASE_URL", usual);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`there is no Tollgate database in ${wrong}`);
    expect(existsSync(wrong)).toBe(false);
  });
});

describe("tollgate audit verify", () => {
  let lines: readonly string[];
  let head: string;
  beforeAll(async () => {
    lines = await exported();
    head = JSON.parse(lines[3] ?? "").head.hash;
  });

  type Change = (lines: readonly string[]) => readonly string[];
  const changed = (at: number, from: string, to: string): Change => {
    return (all) => all.map((line, index) => (index === at ? line.replace(from, to) : line));
  };
  /** Without the newest decision, and with an end that fits what is left. */
  const forged: Change = (all) => {
    const { seq, hash } = JSON.parse(all[1] ?? "");
    return [...all.slice(0, 2), JSON.stringify({ head: { seq, hash } })];
  };

  /** What is said of a changed export; KNOWN stands for its head. */
  const verifies = (change: Change, ...more: readonly string[]) => {
    const content = change(lines).map((line) => `${line}\n`);
    const options = more.map((word) => word.replace("KNOWN", head));
    return tollgate(words`audit verify ${file("export.jsonl", content.join(""))} ${options}`);
  };
  const whole: Change = (all) => all;
  const OTHER = "f".repeat(64);

  it.each<[string, Change, string, number, RegExp]>([
    [
      "whole",
      whole,
      "",
      0,
      /^whole: 3 decisions, 3 of them with their content; head [0-9a-f]{64} after 3 decisions\n$/,
    ],
    [
      "a word changed",
      changed(1, "success", "failure"),
      "",
      1,
      /^broken: line 2 differs from what was decided\n$/,
    ],
    [
      "a hash changed",
      changed(1, '"hash":"', '"hash":"0'),
      "",
      1,
      /^broken: line 2 is no line of an export\n$/,
    ],
    ["a line gone", (all) => all.toSpliced(1, 1), "", 1, /^broken: line 2 is not the next decision/],
    [
      "the end cut off",
      (all) => all.slice(0, -1),
      "",
      1,
      /^cut: the line that ends an export is missing; .* after 3 decisions\n$/,
    ],
    ["something after the end", (all) => [...all, all[0] ?? ""], "", 1, /^broken: line 5 follows the end/],
    [
      "an end of its own, where the head is known",
      forged,
      "--head KNOWN",
      1,
      /^another head: .* after 2 decisions, expected/,
    ],
    ["the known head", whole, "--head KNOWN", 0, /^whole/],
    ["another head", whole, `--head ${OTHER}`, 1, /^another head/],
  ])("%s", async (...[, change, more, code, said]) => {
    const ended = await verifies(change, ...more.split(" ").filter((word) => word !== ""));
    expect(ended).toEqual({ code, out: expect.stringMatching(said), err: "" });
  });

  it.each<[string, Change, readonly string[], number, object]>([
    ["whole", whole, [], 0, { state: "whole", decisions: 3, included: 3 }],
    ["broken", changed(0, "success", "failure"), [], 1, { state: "broken", line: 1, problem: "changed" }],
    ["cut", (all) => all.slice(0, -1), [], 1, { state: "cut", head: { seq: 3 } }],
    ["another head", whole, ["--head", OTHER], 1, { state: "other_head", head: { seq: 3 } }],
  ])("as JSON: %s", async (...[, change, more, code, said]) => {
    const ended = await verifies(change, "--json", ...more);
    expect(JSON.parse(ended.out)).toMatchObject(said);
    expect([ended.code, ended.err]).toEqual([code, ""]);
  });

  it("proves what another program writes to its standard input", async () => {
    const ended = await spawned(["audit", "verify", "-", "--json"], {}, lines.join("\n"));
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(ended.out)).toMatchObject({ state: "whole", decisions: 3 });
  });

  it.each([
    ["a file that is not there", [join(directory, "none")], /there is no such file/],
    ["a directory", [directory], /it is a directory/],
    ["no file", [], /missing required argument 'FILE'/],
  ])("cannot prove %s", async (_, more, because) => {
    const { code, out, err } = await tollgate(["audit", "verify", ...more]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(because);
  });
});
