import { describe, expect, test } from "vitest";
import { decimal } from "../../../src/kernel/money.ts";
import { NO_CONTEXT } from "../../../src/report/model/context.ts";
import { PULL_VIEWS } from "../../../src/web/pages/pull/pull-subject.ts";
import { money, saving } from "../../render/evaluation-builder.ts";
import { chromiumPath, expectAccessible, useChromium, watchPage } from "../chromium.ts";
import { createReader, servePages } from "../page-server.ts";
import { blockedEvaluation, costs, finding, resource, row, stageNamed } from "./evaluations.ts";
import { evaluates, openPullStore } from "./pull-store.ts";

const HOSTILE = `</code><img src=x onerror=alert(1)>\u202E"'\`|${"long-".repeat(40)}`;
const PHONE = { width: 390, height: 800 };
const DESK = { width: 1280, height: 900 };

/** A pull request whose names are written to break pages. */
async function serveHostile(): Promise<string> {
  const database = await openPullStore();
  const evaluation = blockedEvaluation({
    pull: { baseRef: HOSTILE },
    report: {
      resources: [
        resource(`module.web.aws_instance["${HOSTILE}"]`, { ...costs(1, 5), module: HOSTILE, type: HOSTILE }),
        resource("aws_instance.app", { ...costs(1, 900), action: "added" }),
      ],
      rows: [row(`aws_iam_role.${HOSTILE}`)],
      stages: [
        stageNamed("production", {
          estimatorFindings: {
            ...{ issues: 1, policies: 0, more: 0 },
            listed: [
              {
                ...{
                  kind: "finops",
                  policy: HOSTILE,
                  address: HOSTILE,
                  attribute: HOSTILE,
                  message: HOSTILE,
                },
                ...{ saving: decimal("3"), file: HOSTILE, line: 1 },
              },
            ],
          },
        }),
      ],
      context: {
        ...NO_CONTEXT,
        savings: {
          state: "known",
          value: {
            totals: [money("5")],
            items: [
              saving(HOSTILE, "5", {
                advice: { current: HOSTILE, recommended: [HOSTILE], terminate: false },
                page: "https://platform.example/?a=<img>",
              }),
            ],
            unmatched: 0,
          },
        },
      },
      modules: [
        {
          ...costs(1, 5),
          state: "known",
          because: [],
          currency: "USD",
          module: HOSTILE,
          unattributed: false,
        },
      ],
    },
    findings: [finding({ rule: HOSTILE, message: HOSTILE, items: [HOSTILE], subject: HOSTILE })],
  });
  await evaluates(database, { ...evaluation, pull: { ...evaluation.pull } }, { digest: "one" });
  await evaluates(database, evaluation, { digest: "two" });
  return `${await servePages(database, createReader([1]))}/r/acme/payments/pull/12`;
}

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  const launched = useChromium();

  test.each([
    ["light", PHONE],
    ["dark", DESK],
  ] as const)(
    "no view of a pull request has a barrier in %s colours, or runs what a hostile name contains",
    { timeout: 120_000 },
    async (colorScheme, viewport) => {
      const url = await serveHostile();
      const { page, problems } = await watchPage(launched(), { colorScheme, viewport });
      for (const view of PULL_VIEWS) {
        await page.goto(`${url}?view=${view}`);
        await expectAccessible(page);
      }
      expect(problems).toEqual([]);
    },
  );

  test("without JavaScript, resources are filtered by the form, sorted by the headings, and opened", async () => {
    const url = await serveHostile();
    const { page } = await watchPage(launched(), { javaScriptEnabled: false });
    await page.goto(url);
    await page.getByRole("link", { name: "Resources", exact: true }).click();
    await page.getByLabel("Address contains").fill("aws_instance");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await page.locator("tbody tr").count()).toBe(2);
    await page.getByRole("link", { name: "Change" }).click();
    expect(await page.locator("tbody tr").first().innerText()).toContain("aws_instance.app");
    expect(await page.getByRole("columnheader", { name: "Change" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
    await page.getByRole("link", { name: "aws_instance.app" }).click();
    expect(await page.getByRole("heading", { level: 2 }).first().innerText()).toBe("aws_instance.app");
  });
});
