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

describe("the demo", () => {
  let crawled: CrawlResult;

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

  test("leads to other hosts by https only", () => {
    expect([...new Set(crawled.external.map((url) => new URL(url).origin))].toSorted()).toEqual([
      "https://cel.dev",
      "https://github.com",
    ]);
  });
});
