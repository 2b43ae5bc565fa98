import { describe, expect, it } from "vitest";
import {
  createNotificationRenderer,
  type MessageText,
} from "../../../src/render/notifications/message-text.ts";
import { templates } from "../evaluation-builder.ts";
import { SAMPLE_NOTIFICATIONS } from "./sample-notifications.ts";

const ADDRESSES = { github: "https://github.com", tollgate: "https://tollgate.example.com" };
const renderer = createNotificationRenderer(templates(), ADDRESSES);
const ONE = { target: "finops", isDigest: false };

const format = ({ title, parts }: MessageText): string =>
  [
    `# ${title}`,
    ...parts.flatMap(({ heading, lines, links }) => [
      ...(heading === null ? [] : [`## ${heading}`]),
      ...lines,
      links.map(({ label, url }) => `${label} ${url}`).join(" "),
    ]),
  ].join("\n");

describe("a message", () => {
  it("words each event in a few short lines", () => {
    const texts = SAMPLE_NOTIFICATIONS.map((one) => format(renderer.message([one], ONE)));
    expect(texts.join("\n\n")).toMatchInlineSnapshot(`
      "# acme: the week from 2026-11-16 to 2026-11-22
      Merged: 4 pull requests, +$812.40 per month, at least −€5.00 per month
      Blocked: 2 pull requests
      Prevented: at least $1,200.00 per month
      Waiting for approval: 3 pull requests, longest for acme/finops, since 2026-11-12
      Budget room in acme/shop: $850.00 of $1,000.00 per month
      Change of acme/shop #9: estimated +$400.00 per month, actually +$300.00 (−25%)
      Without the amounts of 1 repository, whose figures are not shown.
      Organisation https://tollgate.example.com/o/acme Merged https://tollgate.example.com/o/acme/merged Rules https://tollgate.example.com/o/acme/rules

      # acme: the week from 2026-11-16 to 2026-11-22
      Nothing was merged.
      Prevented: an amount that is not known
      Organisation https://tollgate.example.com/o/acme Merged https://tollgate.example.com/o/acme/merged Rules https://tollgate.example.com/o/acme/rules

      # Blocked: acme/shop #12
      Run the shop in three zones — octocat
      Monthly change: +$812.40
      • monthly-increase: $812.40, limit $500.00 — Ask finops before you spend more.
      • no-database-deletes
      • and 3 more rules
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Blocked: acme/shop #12
      Run the shop in three zones
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Blocked: acme/shop #12
      Run the shop in three zones — octocat
      Monthly change: unknown
      • monthly-increase: $812.40, limit $500.00 — Ask finops before you spend more.
      • no-database-deletes
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Approval needed: acme/shop #12
      Run the shop in three zones — octocat
      Monthly change: unknown
      • monthly-increase needs 1 approval from the team finops or octocat
      • no-database-deletes needs 2 approvals from someone with maintain permission
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Approved: acme/shop #12
      Run the shop in three zones — octocat
      Monthly change: at least −€5.00
      • octocat approved up to $900.00 per month
      • hubot approved
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Merged over its check: acme/shop #12
      Run the shop in three zones — octocat
      The check was “action required” at the merge.
      Monthly change: +$812.40
      • monthly-increase: $812.40, limit $500.00 — Ask finops before you spend more.
      • no-database-deletes
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Merged over its check: acme/shop #12
      Run the shop in three zones — octocat
      The merged commit had no check yet.
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Apply refused: acme/shop #12
      Run the shop in three zones — octocat
      The plan of workspace prod-network does more than was evaluated (GitHub Actions run 7):
      • aws_db_instance.main: replaced
      • monthly change +$60.00, allowed +$42.00
      • and 2 more differences
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Estimate was off: acme/shop #12
      Run the shop in three zones — octocat
      • Change: estimated +$40.00 per month, actually +$90.00 (+125%)
      • Whole: estimated $100.00 per month, actually $150.00 (+50%)
      • Change: estimated €0.00 per month, actually +€1.00 (no change was estimated)
      • Whole: estimated €0.00 per month, actually €1.00
      Compared 7 days after the merge.
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Temporary approval ends: acme/shop #12
      Run the shop in three zones — octocat
      Last day: 2027-03-31 (UTC). octocat approved growth, total up to $900.00 per month until then.
      Reason: load test
      Remove what was temporary, or have its cost approved anew.
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Waiver ends soon: monthly-increase in acme/shop
      Last day: 2027-03-31 (UTC). After that, monthly-increase counts again.
      Owner: finops
      Reason: load test
      Repository https://github.com/acme/shop Details https://tollgate.example.com/r/acme/shop

      # Budget at 80 %: room in acme/shop
      $850.00 of $1,000.00 per month, open pull requests counted in.
      Repository https://github.com/acme/shop Details https://tollgate.example.com/r/acme/shop

      # Tollgate cannot evaluate pull requests
      Last seen on acme/shop #12.
      Its check shows the error. Tollgate tries again; its log says why it failed.
      Pull request https://github.com/acme/shop/pull/12 Details https://tollgate.example.com/r/acme/shop/pull/12

      # Tollgate cannot evaluate pull requests
      Its check shows the error. Tollgate tries again; its log says why it failed.
      Operator's page https://tollgate.example.com/operator

      # Tollgate has trouble: github
      Reason: the App's credentials are rejected.
      Operator's page https://tollgate.example.com/operator

      # Tollgate cannot reach the target finops
      Its messages wait and are tried again for a day.
      Reason: it answered with the status 404.
      Operator's page https://tollgate.example.com/operator

      # Hello from Tollgate
      This is a test. The target finops works.
      "
    `);
  });
});
