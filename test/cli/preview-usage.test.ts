import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planOf } from "../plan-files/plan-builder.ts";
import {
  API,
  BUCKET,
  FUNCTION,
  GATEWAY,
  meteredEstimate,
  TABLE,
  withUsage,
} from "../plan-files/usage-builder.ts";
import { typed } from "./run-command.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate usage "));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SERVERLESS = [API, TABLE, FUNCTION, BUCKET];

interface Asked {
  readonly format?: "json" | "comment";
  readonly plan?: object;
}

/** Runs the command on an estimate and rules as the policy file writes them, one per line. */
function preview(estimate: object, rules: readonly string[], { format = "json", plan }: Asked = {}) {
  const costs = join(folder, "infracost.json");
  const policy = join(folder, "tollgate.yml");
  writeFileSync(costs, JSON.stringify(estimate));
  writeFileSync(policy, ["version: 1", "rules:", ...rules.map((rule) => `  - ${rule}`)].join("\n"));
  const planned = join(folder, "plan.json");
  if (plan !== undefined) writeFileSync(planned, JSON.stringify(plan));
  const args = plan === undefined ? [] : ["--plan", planned];
  return typed(["preview", "--infracost", costs, ...args, "--policy", policy, "--format", format]);
}

const RULES = ["{ id: increase, limit: { increase: 0 USD } }", "{ id: unpriced, limit: { unpriced: 0 } }"];

describe("an estimate of usage-based resources", () => {
  test("that are new and have no usage is not passed as no change", async () => {
    const ended = await preview(meteredEstimate({ after: SERVERLESS }), RULES);
    expect(ended.code).toBe(3);
    const { verdict, report } = JSON.parse(ended.results);
    expect(verdict.kind).toBe("undecided");
    expect(verdict.findings[0]).toMatchObject({
      rule: "increase",
      outcome: "undecided",
      because: [{ kind: "usage", count: 4 }],
    });
    expect(report.usage).toMatchObject({ after: 4, introduced: 4 });
  });

  test("with a usage file is a cost like any other", async () => {
    const given = SERVERLESS.map((resource) => withUsage(resource, ["10", "3"]));
    const ended = await preview(meteredEstimate({ after: given }), [
      "{ id: increase, limit: { increase: 18 USD } }",
      "{ id: usage, limit: { usage: 0 } }",
    ]);
    expect(ended.code).toBe(0);
  });

  test("that were there before and stay as they are blocks nothing", async () => {
    const rules = [...RULES, "{ id: usage, limit: { usage: 0 } }"];
    const ended = await preview(meteredEstimate({ before: SERVERLESS, after: SERVERLESS }), rules);
    expect(ended.code).toBe(0);
  });

  test("is named in the comment, beside the amounts that leave it out", async () => {
    const file = meteredEstimate({ before: [BUCKET], after: [API, TABLE, FUNCTION, GATEWAY, BUCKET] });
    const ended = await preview(file, [...RULES, "{ id: usage, limit: { usage: 0 } }"], {
      format: "comment",
    });
    const words = ended.results.replace(/<sub>.*<\/sub>/, "").replaceAll(`${folder}/`, "");
    expect(words.trim()).toMatchInlineSnapshot(`
      "### ⛔ Blocked: 1 blocking, 1 not evaluated · at least +$32.85 per month

      **To merge:** 1 rule is violated. Change this pull request to stay within it, or raise the limit in \`tollgate.yml\` on \`main\`. Every push is evaluated again.

      1 more rule could not be evaluated. Unknown values never pass.

      - What some resources cost depends on how much they are used. Give that in a usage file and run the estimate with \`--usage-file infracost-usage.yml\`.

      #### Why

      - ⛔ \`usage\` (\`tollgate.yml:5\`): **4** resources are paid by usage that is not given (limit **0**)
        <details>
        <summary>4 by name</summary>

        - \`shop: aws_api_gateway_rest_api.orders\`
        - \`shop: aws_dynamodb_table.orders\`
        - \`shop: module.jobs["eu"].aws_lambda_function.worker\`
        - \`shop: aws_nat_gateway.out\`

        </details>
      - ❓ \`increase\` (\`tollgate.yml:3\`): could not be evaluated, because 4 resources are paid by usage that is not given (\`shop: aws_api_gateway_rest_api.orders\`, \`shop: aws_dynamodb_table.orders\`, \`shop: module.jobs["eu"].aws_lambda_function.worker\` and 1 more)

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`shop\` | +$32.85 + usage | $0.00 + usage | $32.85 + usage |

      ⚠️ 5 resources are also paid by usage, which is not in the estimate (4 new or changed): \`aws_api_gateway_rest_api.orders\`, \`aws_dynamodb_table.orders\`, \`module.jobs["eu"].aws_lambda_function.worker\`, \`aws_nat_gateway.out\`, \`aws_s3_bucket.invoices\`.

      #### What drives it

      | Change | Resource |
      |--:|:--|
      | +$32.85 | \`aws_nat_gateway.out\`, plus usage<br>↳ Base 730 hours: +$32.85<br>↳ Data processed: unknown |
      | $0.00 + usage | 3 others |

      #### What changes

      Which resources change is not known: no plan was given."
    `);
  });

  test("that are deleted have only lowered the cost", async () => {
    const file = meteredEstimate({ before: [GATEWAY, API], after: [GATEWAY] });
    expect((await preview(file, RULES)).code).toBe(0);
    const ended = await preview(file, ["{ id: fall, limit: { decrease: 5 USD } }"], { format: "comment" });
    expect(ended.code).toBe(3);
    expect(ended.results).toContain("| `shop` | $0.00 − usage | $32.85 + usage | $32.85 + usage |");
  });

  test("is split into old and new ones by the plan where the estimate has no past", async () => {
    const costs = meteredEstimate(
      { after: [API, FUNCTION] },
      { pastBreakdown: null },
      { pastTotalMonthlyCost: "0" },
    );
    const plan = planOf(
      { address: API.name, actions: ["no-op"] },
      { address: FUNCTION.name, actions: ["update"] },
    );
    const ended = await preview(costs, ["{ id: usage, limit: { usage: 0 } }"], { plan });
    expect(JSON.parse(ended.results).verdict.findings).toMatchObject([
      { outcome: "violated", measured: { count: 1 }, items: [`shop: ${FUNCTION.name}`] },
    ]);
  });

  test("is explained by name", async () => {
    const costs = join(folder, "infracost.json");
    const policy = join(folder, "tollgate.yml");
    writeFileSync(costs, JSON.stringify(meteredEstimate({ after: [API] })));
    writeFileSync(policy, `version: 1\nrules:\n  - ${RULES[0]}\n`);
    const { results } = await typed(["policy", "explain", "--infracost", costs, "--policy", policy]);
    expect(results).toContain(
      "not known: 1 new or changed resource (shop: aws_api_gateway_rest_api.orders) is paid by usage that is not stated",
    );
  });

  test("with a ceiling that was exceeded before: a saving is warned about", async () => {
    const file = meteredEstimate({ before: [GATEWAY, withUsage(API, ["9", "90"])], after: [GATEWAY] });
    const ended = await preview(file, ["{ id: ceiling, limit: { total: 30 USD } }"], { format: "comment" });
    expect(ended.code).toBe(0);
    expect(ended.results).toMatch(
      /⚠️ `ceiling` \(`.*tollgate\.yml:3`\): \*\*\$32\.85\*\* per month in all \(limit \*\*\$30\.00\*\*\); already exceeded before this change/,
    );
  });

  test("is named without a sensitive value of the plan", async () => {
    const secret = "s3cr3t-p4ssw0rd";
    const hidden = { ...FUNCTION, name: `aws_lambda_function.worker[${JSON.stringify(secret)}]` };
    const plan = planOf({
      address: hidden.name,
      after: { key: secret },
      after_sensitive: { key: true },
    });
    for (const format of ["json", "comment"] as const) {
      const ended = await preview(meteredEstimate({ after: [hidden] }), RULES, { plan, format });
      expect(ended.results).toContain("aws_lambda_function.worker[");
      expect(ended.results).not.toContain(secret);
    }
  });
});
