import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { buildDemoEnvironment, playScenes } from "../../src/wiring/demo/run.ts";
import { type CrawlResult, crawl } from "../world/crawler.ts";
import { Visitor } from "../world/visitor.ts";

/**
 * Numbers, ids and the values of queries tell pages of one kind apart. Tollgate answers 300 pages and 20 files per reader and minute; of the
 * sandbox's pages, all to whose parts something links are looked at.
 */
function sample({ origin, pathname, searchParams, hash }: URL, isSandbox: boolean) {
  const { view = "", format, ...rest } = Object.fromEntries(searchParams);
  const keys = Object.keys(rest).map((key) => key.replace(/^\w+_(?=(sort|page)$)/, ""));
  const path = pathname
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{40}\b|\d+/g, "*")
    .replace(/\/example\/[\w-]+/, "/example/*")
    .replace(/\/rules\/.+/, "/rules/*");
  if (isSandbox) return { kind: `${origin} ${path} ${keys.join()}`, most: hash === "" ? 10 : Infinity };
  if (format !== undefined) return { kind: `${origin} ${path} ${view} file`, most: 1 };
  const query = keys.length > 1 ? "several" : (keys[0] ?? "");
  return { kind: `${origin} ${path} ${view} ${query}`, most: query === "" ? 5 : 2 };
}

/** The questions that docs/pages.md answers: each with the address of a page, and of a file with the columns that have the answer. */
const QUESTIONS = [
  ...readFileSync("docs/pages.md", "utf8").matchAll(/^\| (.+\?) \| `(.+)` \| `(.+)`: (.+) \|$/gm),
].map(([, question = "", page = "", file = "", columns = ""]) => ({
  question,
  page: page.replace("OWNER", "example"),
  file: file.replace("OWNER", "example"),
  columns: columns.replaceAll("`", "").split(", "),
}));

/** What a question's page or file lacks; empty: nothing. */
async function findMissing(
  { page, file, columns }: (typeof QUESTIONS)[number],
  load: (path: string) => Promise<Response>,
): Promise<readonly string[]> {
  const [opened, loaded] = [await load(page), await load(file)];
  const [html, csv] = [await opened.text(), await loaded.text()];
  const { hash } = new URL(page, "http://tollgate");
  const [header = "", ...rows] = csv.replace("\ufeff", "").trimEnd().split(/\r?\n/);
  return [
    ...(opened.status === 200 && html.includes(`id="${hash.slice(1)}"`.replace('id=""', "")) ? [] : [page]),
    ...(loaded.headers.get("content-type")?.startsWith("text/csv") && rows.length > 0 ? [] : [file]),
    ...columns.filter((column) => !header.split(",").includes(column)),
  ];
}

describe("the demo", () => {
  let crawled: CrawlResult;
  const missing: Record<string, readonly string[]> = {};

  beforeAll(async () => {
    const stage = await buildDemoEnvironment({ sandboxPort: 0, hasPast: true });
    try {
      const starts: string[] = [];
      for await (const { url } of playScenes(stage)) starts.push(url);
      const visitors: Visitor[] = [];
      for (const login of ["example-admin", "grace"]) {
        const visitor = new Visitor(stage.bot.url, stage.sandbox.url);
        await visitor.signsIn(login);
        visitors.push(visitor);
      }
      const origins = [stage.sandbox.url, stage.bot.url, stage.chat.url].map((url) => new URL(url).origin);
      const load = async (url: URL) => {
        if (url.origin !== origins[1]) return fetch(url, { headers: { accept: "text/html" } });
        // Who asked too often lets the next one ask.
        for (const visitor of visitors) {
          const answer = await visitor.opens(url.href);
          const target = answer.headers.get("location");
          if (answer.status !== 429) return target === null ? answer : visitor.opens(target);
        }
        throw new Error(`nobody may ask for ${url.href} any more`);
      };
      for (const one of QUESTIONS)
        missing[one.question] = await findMissing(one, (path) => load(new URL(path, stage.bot.url)));
      starts.push(stage.sandbox.url, stage.bot.url, stage.chat.url);
      crawled = await crawl(starts, {
        origins,
        load,
        sample: (url) => sample(url, url.origin === origins[0]),
      });
    } finally {
      await stage.close();
    }
  });

  test("has no link without a page, in comments, checks, messages, and Tollgate's and the sandbox's pages", () => {
    expect(crawled.problems).toEqual([]);
    for (const kind of ["pull/*/checks", "runs/*", "commit/*", "tree/*", "edit/main/.github/tollgate.yml"])
      expect([...crawled.kinds.keys()].join("\n")).toContain(`/example/*/${kind}`);
  });

  test("answers each question of a FinOps lead with a page and a file", () => {
    expect(Object.keys(missing)).toHaveLength(10);
    for (const [question, parts] of Object.entries(missing)) expect(parts, question).toEqual([]);
  });

  test("leads to other hosts by https only", () => {
    expect([...new Set(crawled.external.map((url) => new URL(url).origin))].toSorted()).toEqual([
      "https://cel.dev",
      "https://github.com",
    ]);
  });
});
