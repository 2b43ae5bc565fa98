import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readImportPages } from "../../src/wiring/import/file.ts";
import { ACCOUNT, DAY_MS, openPlatform, type PlatformWorld } from "../platform-server/platform-world.ts";
import { usualEngines } from "../world/engines.ts";
import { createFolder, words } from "./folder.ts";
import { typed } from "./run-command.ts";

const folder = createFolder();
const TIME = 1_767_225_600_000;
const evaluation = (id: string, more: object = {}) =>
  JSON.stringify({ id, time: TIME, cloudProvider: "CLOUD_1", status: "SUCCESS", ...more });
const anomaly = (id: string) =>
  JSON.stringify({ id, time: TIME, actualAmount: 5, expectedAmount: 1, cloudProvider: "CLOUD_1" });
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => evaluation(`e-${from + index}`)).join("\n");

describe.each(usualEngines())("importing files of things ($name)", (engine) => {
  let world: PlatformWorld;
  beforeAll(async () => {
    world = await openPlatform(engine);
  });
  beforeEach(async () => {
    for (const table of ["platform_evaluations", "platform_imports", "platform_import_pages"] as const)
      await world.store.db.deleteFrom(table).execute();
  });
  afterAll(() => world.close());

  const file = (content: string | Uint8Array) => folder.file("things.ndjson", content);
  const importing = (...more: readonly string[]) =>
    typed(words`platform import --url ${world.url} --token ${world.key} --account ${ACCOUNT} ${more}`);
  const kept = async () => {
    const rows = await world.store.db.selectFrom("platform_evaluations").select("id").execute();
    return rows.length;
  };
  const waiting = async () =>
    (await world.store.db.selectFrom("platform_import_pages").select("page").execute()).length;

  test("takes a file with a byte-order mark, Windows line ends and blank lines", async () => {
    const text = `\ufeff${evaluation("e-1")}\r\n\r\n${evaluation("e-2")}\r\n   \r\n${evaluation("e-3")}`;
    expect(await importing("--evaluations", file(text))).toEqual({
      code: 0,
      results: "imported 3 evaluations",
      messages: [],
    });
    expect([await kept(), await waiting()]).toEqual([3, 0]);
  });

  test("takes lines in the words of either dialect, and the same file again", async () => {
    const text = [evaluation("e-1"), evaluation("e-1-live", { cloudProvider: "AWS" })].join("\n");
    expect((await importing("--evaluations", file(text))).results).toBe("imported 2 evaluations");
    const again = await importing("--evaluations", file(text), "--json");
    expect(JSON.parse(again.results)).toEqual([
      { kind: "evaluations", file: file(text), imported: 2, problems: [], more: 0 },
    ]);
    const rows = await world.store.db.selectFrom("platform_evaluations").select("cloud_provider").execute();
    expect(rows).toEqual([{ cloud_provider: "CLOUD_1" }, { cloud_provider: "CLOUD_1" }]);
  });

  test("reports every problem with line and field, and imports nothing of the file", async () => {
    const lines = [
      many(1_500),
      "{",
      "[1]",
      evaluation("e-x", { time: -1, status: "", colour: "red" }),
      `{"id":"nul\\u0000","time":1}`,
      evaluation("e-7"),
    ];
    const { code, results, messages } = await importing("--evaluations", file(lines.join("\n")));
    expect([code, results]).toEqual([2, ""]);
    expect(messages.map((message) => message.replaceAll(`${folder.path}/things.ndjson`, "F"))).toEqual([
      "F:1501: is not JSON: expected one whole JSON object to a line",
      "F:1502: is not a JSON object: expected one to a line",
      "F:1503: time: expected at least 0",
      "F:1503: status: expected at least 1 character",
      "F:1503: there is no member colour",
      "F:1504: holds the character U+0000",
      "nothing of F was imported",
    ]);
    expect([await kept(), await waiting()]).toEqual([0, 0]);
  });

  test("two lines of one key are reported, wherever they are, and nothing is imported", async () => {
    const near = await importing("--evaluations", file([evaluation("a"), evaluation("a")].join("\n")));
    expect(near.messages[0]).toMatch(/:2: is the same thing as line 1: /);
    const far = await importing("--evaluations", file([many(2_100), evaluation("e-3")].join("\n")));
    expect(far.messages[0]).toMatch(/:2101: is the same thing as line 4: /);
    expect([far.code, await kept(), await waiting()]).toEqual([2, 0, 0]);
  });

  test("the first hundred problems are reported, the others counted", async () => {
    const lines = Array.from({ length: 1_250 }, (_, index) => evaluation(`e-${index}`, { time: "now" }));
    const { messages } = await importing("--evaluations", file(lines.join("\n")));
    expect(messages.slice(99)).toEqual([
      expect.stringMatching(/:100: time: /),
      expect.stringMatching(/: and 1,150 further problems$/),
      expect.stringMatching(/^nothing of /),
    ]);
  });

  test.each([
    [
      "is not UTF-8",
      Buffer.concat([Buffer.from(`${evaluation("a")}\n{"id":"`), Buffer.of(0xff, 0xfe)]),
      ":2: is not UTF-8",
    ],
    [
      "has a huge line",
      `${evaluation("a")}\n{"id":"${"x".repeat(3_000_000)}"}\n${evaluation("b")}`,
      ":2: is 3000009 bytes long; at most 262144 are taken",
    ],
    ["is compressed", Buffer.of(0x1f, 0x8b, 8, 0), ": the file is compressed with gzip"],
    ["is UTF-16", Buffer.from("\ufeff{}", "utf16le"), ": the file is UTF-16"],
    ["is empty", "", ": there is no line in it"],
    ["is blank", "\n\n \r\n", ": there is no line in it"],
    ["is a list", JSON.stringify([{ id: "a" }]), ":1: is not a JSON object: expected one to a line"],
  ])("a file that %s is refused in words", async (_, content, says) => {
    const { code, results, messages } = await importing("--evaluations", file(content));
    expect([code, results]).toEqual([2, ""]);
    expect(messages[0]).toContain(says);
    expect(messages.at(-1)).toMatch(/^nothing of .* was imported$/);
    expect([await kept(), await waiting()]).toEqual([0, 0]);
  });

  test("several files at once: a refused file does not stop the next", async () => {
    const anomalies = folder.file("anomalies.ndjson", anomaly("a-1"));
    const { code, results, messages } = await importing(
      ...["--evaluations", file("{"), "--anomalies", anomalies, "--prompts", "/no/such"],
    );
    expect([code, results]).toEqual([2, "imported 1 anomaly"]);
    expect(messages.join("\n")).toContain("/no/such cannot be read: there is no such file");
  });

  test("an import token is refused, and the error names the token that may", async () => {
    const bound = { purpose: "import", account: ACCOUNT, repositoryId: 1, org: "o", project: "p" } as const;
    const token = await world.token(bound);
    const there = words`--url ${world.url} --token ${token} --account ${ACCOUNT}`;
    const { code, messages } = await typed(
      words`platform import ${there} --evaluations ${file(evaluation("a"))}`,
    );
    expect([code, messages.at(-1)]).toEqual([2, expect.stringContaining("--for api")]);
  });

  test("a move that was interrupted goes on where it stopped, at the next start", async () => {
    const { tidyImports } = await import("../../src/platform-server/imports/handlers.ts");
    const { db } = world.store;
    await importing("--evaluations", file(many(2_500)));
    const upload = { account: ACCOUNT, upload: "a".repeat(32) };
    await db.deleteFrom("platform_evaluations").where("id", "!=", "e-0").execute();
    const moving = { ...upload, kind: "evaluations", state: "moving", pages: 2, moved: 1, rows: 3 } as const;
    await db
      .insertInto("platform_imports")
      .values({ ...moving, created_ms: 1 })
      .execute();
    const page = {
      page: 2,
      lines: [evaluation("late-1"), evaluation("late-2")].join("\n"),
      keys: "[]",
      problems: 0,
    };
    await db
      .insertInto("platform_import_pages")
      .values({ ...upload, ...page })
      .execute();
    await tidyImports(db, world.clock);
    expect([await kept(), await waiting()]).toEqual([3, 0]);
    const rows = await db
      .selectFrom("platform_imports")
      .select("state")
      .where("upload", "=", upload.upload)
      .execute();
    expect(rows).toEqual([{ state: "imported" }]);
  });

  test("an uncommitted upload is deleted after a day", async () => {
    const path = (upload: string) => `/tollgate/v1/imports/evaluations/${upload}/pages/1`;
    await world.call("POST", path("a".repeat(32)), { bytes: evaluation("a") });
    world.clock.ms += DAY_MS;
    await world.call("POST", path("b".repeat(32)), { bytes: evaluation("b") });
    expect(await waiting()).toBe(2);
    world.clock.ms += 1;
    await world.call("POST", path("c".repeat(32)), { bytes: evaluation("c") });
    expect(await waiting()).toBe(2);
    expect(
      (await world.call("POST", path("a".repeat(32)).replace("pages/1", "commit"), { json: { pages: 1 } }))
        .status,
    ).toBe(404);
  });
});

describe("wrong arguments", () => {
  test.each([
    [["--evaluations", "x", "--plan", "y"], "--plan does not go with --evaluations."],
    [["--billing", "x", "--sha", "y"], "--sha does not go with --billing."],
    [["--billing", "x", "--infracost-base", "y"], "--infracost-base does not go with --billing."],
    [["--billing", "x", "--project-root", "y"], "--project-root does not go with --billing."],
    [["--billing", "x", "--nothing-to-plan"], "--nothing-to-plan does not go with --billing."],
    [["--billing", "-", "--prompts", "-"], "The standard input can be one file only."],
    [["--billing", "x", "--url", "http://localhost:1"], "There is an address, but no token."],
  ])("%j", async (more, message) => {
    const { code, messages } = await typed(["platform", "import", ...more]);
    expect([code, messages[0]]).toEqual([2, message]);
  });
});

describe("a file in pieces", () => {
  test("is cut at line ends only, and its lines have their original numbers", async () => {
    const text = Array.from({ length: 612 }, (_, index) => `${index + 1}`).join("\n");
    async function* inPieces() {
      for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
    }
    const pages = [];
    for await (const page of readImportPages(inPieces())) pages.push(page);
    expect(pages.map(({ page, firstLine }) => [page, firstLine])).toEqual([
      [1, 1],
      [2, 251],
      [3, 501],
    ]);
    expect(Buffer.concat(pages.map(({ bytes }) => bytes)).toString()).toBe(`${text}\n`);
    for (const { firstLine, bytes } of pages)
      expect(Buffer.from(bytes).toString()).toMatch(new RegExp(`^${firstLine}\n`));
  });

  test.each([
    ["250 lines", Array(250).fill("{}")],
    ["500 lines", Array(500).fill("{}")],
    ["two lines that make a page by their length", Array(2).fill("x".repeat(140_000))],
    ["two lines, the last of which is too long", ["x".repeat(250_000), "x".repeat(300_000)]],
  ])("is read to its end when it has %s and no line end after the last", async (_, lines) => {
    async function* whole() {
      yield Buffer.from(lines.join("\n"));
    }
    const pages = [];
    for await (const page of readImportPages(whole())) pages.push(page);
    const read = pages.map(({ bytes }) => Buffer.from(bytes).toString()).join("");
    expect(read.split("\n")).toHaveLength(lines.length + 1);
    const longest = lines.filter((line) => line.length > 256 * 1024).length;
    expect(pages.flatMap(({ tooLong }) => tooLong)).toHaveLength(longest);
  });
});
