import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createRenderer } from "../../src/render/renderer.ts";
import { keepSignsTogether } from "../../src/render/sign-joiners.ts";
import { templates } from "../render/evaluation-builder.ts";
import { FIVE } from "../render/five-changes.ts";
import { openLab } from "./lab.ts";

const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);

// The room has no DOM types; the browser reads these words itself. Every amount whose sign stands on another line than its
// first digit, in folded parts too.
const PARTED = `(() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  const parted = [];
  const walker = document.createTreeWalker(document.querySelector(".post:last-of-type .markdown-body"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const amount of node.data.matchAll(/[+−][^\\s\\d]{0,4}\\s?\\d[\\d,.]*/g)) {
      const range = document.createRange();
      range.setStart(node, amount.index);
      range.setEnd(node, amount.index + amount[0].length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) parted.push(amount[0]);
    }
  }
  return parted;
})()`;

const WIDTHS = [390, 320, 240];
const renderer = createRenderer(templates());
const links = { details: null, recheckHint: true };

if (browserPath === undefined) {
  process.stderr.write("Chromium: not found; the comment was NOT looked at on a narrow page.\n");
}

describe.skipIf(browserPath === undefined)("on a narrow page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(browserPath !== undefined && { executablePath: browserPath }),
      args: ["--no-sandbox"],
    });
  });
  afterAll(() => browser.close());

  /** The amounts of a comment that are parted at one width or another. */
  async function parted(body: string): Promise<unknown[]> {
    const { sandbox } = await openLab();
    const repository = "acme/infra";
    const pull = sandbox.openPullRequest({ repository, head: "more", title: "Narrow" });
    sandbox.addComment(pull, { body, by: "tollgate[bot]" });
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${sandbox.url}/${repository}/pull/${pull.number}`);
    const found: unknown[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      found.push(await page.evaluate(PARTED));
    }
    return found;
  }

  it.each(Object.entries(FIVE))("no amount parts from its sign: %s", async (_, e) => {
    expect(await parted(keepSignsTogether(renderer.comment(e, links)))).toEqual([[], [], []]);
  });

  it.each(["−$2,162.40", "+$2,162.40", "−€2,162.40", "−¤2,162.40", "−JPY\u00a02,162", "−87.2%"])(
    "neither in a cell, nor in a list, nor in a headline: %s",
    async (amount) => {
      const name = `\`${"aws_db_instance.".repeat(6)}\``;
      const shifts = Array.from({ length: 24 }, (_, n) => `- ${"x".repeat(n)} **${amount}** per month`);
      const body = `### ⛔ Blocked by all of ${amount}\n\n| Change | Resource |\n|--:|:--|\n| ${amount} | ${name} |\n\n${shifts.join("\n")}`;
      expect(await parted(keepSignsTogether(body))).toEqual([[], [], []]);
    },
  );
});
