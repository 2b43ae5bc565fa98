import { describe, expect, test } from "vitest";
import type { FoundExecution } from "../../../src/web/page/page.ts";
import { report } from "../../render/evaluation-builder.ts";
import { chromiumPath, expectAccessible, useChromium, watchPage } from "../chromium.ts";
import { createReader, servePages } from "../page-server.ts";
import { costs, resource, row, stageNamed } from "../pull/evaluations.ts";
import { openPullStore } from "../pull/pull-store.ts";

const HOSTILE = `</code><img src=x onerror=alert(1)>\u202E"'\`|${"long-".repeat(40)}`;
const ID = "944ca7b5-01ef-4aa8-b1ed-016d1103da42";

const REPOSITORY: FoundExecution["repository"] = {
  ...{ repository_id: 1, installation_id: 1, owner_id: 1, owner_login: "acme", name: "payments" },
  ...{ figures: true, labels_at: null, listed_at: null, updated_at: new Date(0) },
};
const FOUND: FoundExecution = {
  ...{ repository: REPOSITORY, pipeline: HOSTILE, createdMs: 0, shas: ["a".repeat(40)], writers: [HOSTILE] },
  report: report([stageNamed(HOSTILE, { notices: [HOSTILE] }), stageNamed("staging", { status: "failed" })], {
    resources: [
      resource(`aws_instance.${HOSTILE}`, costs(1, 5)),
      resource("aws_instance.app", costs(1, 900)),
    ],
    rows: [row(`aws_iam_role.${HOSTILE}`, { change: "deleted" })],
    nothingToPlan: [{ org: "acme", project: "payments", workspace: HOSTILE, executionId: ID, by: HOSTILE }],
  }),
};

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  const launched = useChromium();

  test("on a phone, dark and without JavaScript, no view of an execution has a barrier, or runs what a hostile name contains", async () => {
    const database = await openPullStore();
    const url = await servePages(database, createReader([1]), undefined, {
      executions: { parseUrl: () => null, find: async () => FOUND },
    });
    const phone = { viewport: { width: 390, height: 800 }, colorScheme: "dark" } as const;
    const { page: bare } = await watchPage(launched(), { ...phone, javaScriptEnabled: false });
    const { page, problems } = await watchPage(launched(), phone); // axe is JavaScript
    await bare.goto(`${url}/executions/acme/payments/${ID}`);
    expect(await bare.getByRole("heading", { level: 1 }).innerText()).toContain("944ca7b5");
    for (const view of ["Resources", "Modules", "Overview"]) {
      await bare.getByRole("link", { name: view, exact: true }).click();
      await page.goto(bare.url());
      await expectAccessible(page);
    }
    expect(problems).toEqual([]);
  });
});
