import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { savePolicy } from "../../src/store/history/write-evaluation.ts";
import { policy } from "../policy/policies.ts";
import { tagLine } from "../render/evaluation-builder.ts";
import { chromiumPath, expectAccessible, useChromium, watchPage } from "./chromium.ts";
import { appendAll, buildApproval } from "./decisions/decision-records.ts";
import { createReader, servePages } from "./page-server.ts";
import { daysAgo, minutesAgo, NOW_MS } from "./page-text.ts";
import { evaluatePull, mergePull, openStoreWith, raise } from "./stored-pulls.ts";

const LONG = "x".repeat(120);
const POLICY = `rules: [{ id: growth, limit: { increase: 500 USD } }]
budgets: [{ id: all, amount: 2000 USD }]
waivers: [{ rule: growth, up_to: 900 USD, until: 2026-03-29, reason: ${LONG}, owner: ada }]`;

const TEAMS = { key: "team", lines: [LONG, "search"].map((value) => tagLine("value", "5", { value })) };

/** Pages with something in each of their parts, some of it very long. */
async function serveBusyPages(): Promise<string> {
  const database = await openStoreWith(
    { id: 1, name: `acme/${LONG.slice(0, 100)}` },
    { id: 2, name: "acme/shop" },
  );
  const { db } = database;
  await savePolicy(db, { policyBlobs: "b1", policy: policy(POLICY) }, daysAgo(1));
  const verdicts = ["block", "approval", "undecided", "warn", "pass"] as const;
  for (let number = 1; number <= 30; number += 1) {
    const verdict = verdicts[number % 5] ?? "pass";
    const pull = { repositoryId: (number % 2) + 1, number, verdict, policyBlobs: "b1" };
    const stages = [raise(`${number * 1000}.5`, number % 7 === 0 ? LONG : "prod")];
    await evaluatePull(
      db,
      { ...pull, stages, title: number % 6 === 0 ? LONG : "Resize" },
      minutesAgo(number),
    );
    if (number % 3 === 0)
      await mergePull(
        db,
        { ...pull, stages, title: number % 6 === 0 ? LONG : "Resize", byTag: TEAMS },
        daysAgo(number),
        {
          way: number % 2 === 0 ? "approved" : "over_check",
          consents: [
            { id: 1, login: LONG.slice(0, 39), upTo: { amount: decimal("90000"), currency: "USD" } },
          ],
        },
      );
  }
  await appendAll(database, [buildApproval({ reason: LONG, rules: [LONG] })]);
  return servePages(database, createReader([1, 2], "ada", true), NOW_MS);
}

describe.skipIf(chromiumPath === undefined)("overviews in Chromium", () => {
  const launched = useChromium();

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("have no barrier in %s colours at %i pixels, and fit", async (colorScheme, width) => {
    const url = await serveBusyPages();
    const options = { colorScheme, viewport: { width, height: 800 }, javaScriptEnabled: true };
    const { page, problems } = await watchPage(launched(), options);
    for (const path of [
      "/",
      "/o/acme",
      "/r/acme/shop?verdict=block",
      "/o/acme/merged?period=365",
      "/o/acme/merged?from=2026-03-01&tag=search&period=odd",
      "/o/acme/rules",
      "/r/acme/shop/rules",
      "/o/acme/rules/monthly-increase",
      "/o/acme/rules/growth",
      "/o/acme/decisions",
    ]) {
      await page.goto(url + path);
      await expectAccessible(page);
    }
    expect(problems).toEqual([]);
  });

  test("filter, sort and page without JavaScript", async () => {
    const { page } = await watchPage(launched(), { javaScriptEnabled: false });
    await page.goto(`${await serveBusyPages()}/o/acme`);
    const rows = page.locator("#pulls tbody tr");
    expect(await rows.count()).toBe(20);
    await page.getByRole("combobox", { name: "Verdict" }).selectOption({ label: "Blocked" });
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await rows.count()).toBe(4);
    await page.locator("#pulls").getByRole("link", { name: "Monthly change" }).click();
    expect(await rows.first().innerText()).toContain("+$25,000.50");
    expect(new URL(page.url()).searchParams.get("verdict")).toBe("block");
    await page.getByRole("link", { name: "Clear" }).click();
    expect(await rows.count()).toBe(20);
    await page.locator("#approvals").getByRole("link", { name: "acme/finops" }).click();
    expect(await rows.count()).toBe(4);
  });

  test("on a phone a chart shows its newest weeks first, and the verdict of a pull request is in sight", async () => {
    const { page } = await watchPage(launched(), { viewport: { width: 390, height: 800 } });
    await page.goto(`${await serveBusyPages()}/r/acme/shop`);
    const chart = await page.locator("svg.chart").first().boundingBox();
    const verdict = await page.locator("#pulls tbody td").nth(2).boundingBox();
    expect(chart?.width).toBeGreaterThan(390);
    expect((chart?.x ?? 0) + (chart?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(verdict?.x).toBeLessThan(300);
  });

  test("say what was merged for a team and by whom, without JavaScript", async () => {
    const { page } = await watchPage(launched(), { javaScriptEnabled: false });
    await page.goto(`${await serveBusyPages()}/o/acme`);
    await page.getByRole("link", { name: "All that was merged" }).click();
    const rows = page.locator("#pulls tbody tr");
    expect(await rows.count()).toBe(10);
    await page.locator("#teams").getByRole("link", { name: "search" }).click();
    expect(await page.locator("main").innerText()).toContain(
      "Amounts are of whole pull requests that change team search",
    );
    await page.getByRole("link", { name: "Over a failing check" }).click();
    expect(await rows.count()).toBe(5);
    await page.getByRole("textbox", { name: "Stage or workspace" }).fill("prod");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await rows.count()).toBe(4);
    expect(new URL(page.url()).search).toContain("period=90");
  });
});
