import { expect, inject, it } from "vitest";
import { openDatabase } from "../../src/wiring/database/open-database.ts";
import { schema } from "../../src/wiring/database/schema.ts";
import { emptyPostgres } from "../world/engines.ts";

const server = inject("postgresUrl");

it.runIf(server)("six replicas that start at once bring one database up to date together", async () => {
  const url = await emptyPostgres(server ?? "");
  const open = () => openDatabase({ kind: "postgres", url, maxConnections: 2 }, () => {});
  const stores = await Promise.all(Array.from({ length: 6 }, open));
  for (const store of stores) {
    const heads = await store.db.selectFrom("decision_head").selectAll().execute();
    expect(heads).toHaveLength(1);
    await store.close();
  }
});

it("the migrations of the bot and of the platform's areas make one list, with the names that existing databases recorded", () => {
  expect(Object.keys(schema.migrations).sort()).toEqual([
    "0001-core",
    "0002-platform",
    "0003-recommendations",
    "0004-anomalies-governance",
    "0005-unit-metrics",
    "0006-webhooks",
    "0007-flags-settings",
    "0008-approvals",
    "0009-lifecycle",
    "0010-after-merge",
    "0012-imports",
    "0013-project-owners",
    "0015-sensitive-values",
    "0016-recommendation-parts",
    "0017-changed-comments",
    "0018-approval-requests",
    "0019-comment-problems",
    "0020-cost-columns",
    "0021-approvers",
    "0022-token-details",
    "0023-history",
    "0024-sign-in",
    "0025-notifications",
    "0026-overrides",
    "0027-replicas",
    "0029-indexes",
    "0030-binding-posters",
    "0031-shared-values",
    "0032-check-turns",
    "0033-processes",
    "0034-unanswered-requests",
    "0035-comment-runs",
    "0036-check-bases",
    "0037-cost-parts",
  ]);
});
