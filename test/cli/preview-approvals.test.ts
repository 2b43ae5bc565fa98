import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { typed } from "./run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate preview "));
afterAll(() => rmSync(folder, { recursive: true }));

/** Leaves a file and returns its path. */
function file(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("a preview of a policy that asks for approvals", () => {
  const APPROVED = `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 2 USD }
    approve:
      all: [{ teams: [finops], count: 2 }, { users: [ivan] }]
  - id: hard
    limit: { increase: LIMIT USD }
`;
  const ended = (limit: string, ...words: readonly string[]) => {
    const costs = estimate([project("web", ["10", "12.50", "2.50"])], ["10", "12.50", "2.50"]);
    const by = file("approved.yml", APPROVED.replace("LIMIT", limit));
    return typed(["preview", "--infracost", file("costs.json", costs), "--policy", by, ...words]);
  };

  test("names who must approve each rule, as the comment does", async () => {
    const { code, results } = await ended("900");
    expect(code).toBe(1);
    expect(results.replaceAll(folder, "…").split("\n").slice(0, 14).join("\n")).toMatchInlineSnapshot(`
      "### ⛔ Blocked: +$2.50 per month (+25%)

      **To merge:** 1 rule is violated. Change this pull request to stay within it, or have somebody whom the rule names approve it. Every push is evaluated again.

      #### Approvals

      - ✍️ \`monthly-increase\` still needs 2 approvals from \`finops\`, and 1 approval from \`ivan\`

      #### Why

      - ⛔ \`monthly-increase\` (\`…/approved.yml:3\`): **+$2.50** per month (limit **+$2.00**)

      #### Cost per month
      "
    `);
  });

  test("also in the check's words and in JSON", async () => {
    expect((await ended("900", "--format", "check")).results).toContain("still needs 2 approvals from");
    const { verdict, conclusion } = JSON.parse((await ended("900", "--json")).results);
    expect([verdict.kind, conclusion]).toEqual(["block", "action_required"]);
    expect(verdict.missing).toEqual([
      {
        rule: "monthly-increase",
        groups: [
          { users: [], teams: ["finops"], permission: null, lacks: 2 },
          { users: ["ivan"], teams: [], permission: null, lacks: 1 },
        ],
      },
    ]);
  });

  test("names both when another rule blocks that nobody may approve", async () => {
    const { conclusion, verdict } = JSON.parse((await ended("1", "--json")).results);
    expect(conclusion).toBe("failure");
    expect(verdict.missing.map(({ rule }: { rule: string }) => rule)).toEqual(["monthly-increase"]);
  });

  test("what only a pull request has is not available in a local preview, and no push is waited for", async () => {
    const costs = file(
      "costs.json",
      estimate([project("web", ["10", "12.50", "2.50"])], ["10", "12.50", "2.50"]),
    );
    const by = file(
      "pull-only.yml",
      `version: 1
budgets:
  - { id: budget, amount: 100 USD }
rules:
  - { id: anomalies, limit: { anomalies: 0 } }
  - { id: freeze, when: 'pull.labels.exists(l, l == "x")' }
`,
    );
    const { code, results } = await typed(["preview", "--infracost", costs, "--policy", by]);
    expect(code).toBe(3);
    expect(results.match(/could not be evaluated, because .*/g)).toEqual(
      Array.from(
        { length: 3 },
        () => "could not be evaluated, because its facts exist only for a pull request",
      ),
    );
    expect(results).toContain("Some facts exist only for a pull request, not for a local preview.");
    expect(results).not.toMatch(/next push|Re-check|tollgate approve/);
  });

  test("an estimate that leaves something open is no matter of a pipeline there", async () => {
    const breakdownAlone = { name: "web", breakdown: { totalMonthlyCost: "5", resources: [] } };
    const costs = file("half.json", { currency: "USD", projects: [breakdownAlone], totalMonthlyCost: "5" });
    const by = file("rise.yml", "version: 1\nrules: [{ id: r, limit: { increase: 0 USD } }]\n");
    const { code, results } = await typed(["preview", "--infracost", costs, "--policy", by]);
    expect(code).toBe(3);
    expect(results).toContain("- The estimate is missing or incomplete. Give one that covers all of it.");
  });
});
