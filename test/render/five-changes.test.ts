import { describe, expect, it } from "vitest";
import { FIVE } from "./five-changes.ts";
import { renderer } from "./renderer.ts";

function comment(of: string): string {
  const evaluation = FIVE[of];
  if (evaluation === undefined) throw new RangeError(of);
  return renderer.comment(evaluation, { details: null, recheckHint: true });
}

describe("five very different changes read, as a whole", () => {
  it("a tiny saving", () => {
    expect(comment("tiny-saving")).toMatchInlineSnapshot(`
      "### ✅ Passed: saves $0.003 per month

      Nothing to do. All 3 rules of the policy are met.

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`production\` | −$0.003 | $1,303.042 | $1,303.039 |

      ⚠️ 1 resource is also paid by usage, which is not in the estimate: \`aws_cloudwatch_log_group.app\`.

      #### What drives it

      | Change | Resource |
      |--:|:--|
      | −$0.003 | changed \`aws_cloudwatch_log_group.app\`, plus usage |

      #### What changes

      Resources: **1** changed.

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });

  it("forty stages", () => {
    expect(comment("forty-stages")).toMatchInlineSnapshot(`
      "### ⚠️ Passed with 1 warning: +$3,512.85 per month (+8.25%)

      You can merge. Please look at the warning below first.

      #### Why

      - ⚠️ \`growth\` in \`production-us-east-1\`: **+7.95%** in monthly cost (limit **+5%**)
      - and 24 more

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`production-us-east-1\` | +$342.00 | $4,300.00 | $4,642.00 |
      | \`production-us-west-2\` | +$318.50 | $3,762.50 | $4,081.00 |
      | \`production-eu-west-1\` | +$273.00 | $3,225.00 | $3,498.00 |
      | \`staging-us-east-1\` | +$218.88 | $2,752.00 | $2,970.88 |
      | \`production-eu-central-1\` | +$213.75 | $2,687.50 | $2,901.25 |
      | \`staging-us-west-2\` | +$203.84 | $2,408.00 | $2,611.84 |
      | \`production-ap-south-1\` | +$182.00 | $2,150.00 | $2,332.00 |
      | \`staging-eu-west-1\` | +$174.72 | $2,064.00 | $2,238.72 |
      | \`staging-eu-central-1\` | +$136.80 | $1,720.00 | $1,856.80 |
      | \`production-ap-northeast-1\` | +$136.50 | $1,612.50 | $1,749.00 |
      | \`load-test-us-east-1\` | +$123.12 | $1,548.00 | $1,671.12 |
      | \`staging-ap-south-1\` | +$116.48 | $1,376.00 | $1,492.48 |
      | 28 others | +$1,073.26 | $12,964.50 | $14,037.76 |
      | **Total** | **+$3,512.85** | **$42,570.00** | **$46,082.85** |

      #### What drives it

      | Change | Module | \`production-us-east-1\` | \`production-us-west-2\` | \`production-eu-west-1\` | 37 others |
      |--:|:--|--:|--:|--:|--:|
      | +$2,712.60 | \`web\` | +$274.00 | +$239.75 | +$205.50 | +$1,993.35 |
      | +$800.25 | \`data\` | +$68.00 | +$78.75 | +$67.50 | +$586.00 |
      | +$891.00 | └&nbsp;\`data.postgres\` | +$90.00 | +$78.75 | +$67.50 | +$654.75 |
      | −$90.75 | └&nbsp;\`data.redis\` | −$22.00 | 0 | 0 | −$68.75 |

      #### What changes

      Resources: **40** created, **120** changed.

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });

  it("a block that waits for an approval", () => {
    expect(comment("block-with-approval")).toMatchInlineSnapshot(`
      "### ⛔ Blocked: 1 blocking, 1 warning · +$3,026.72 per month (+29.06%)

      **To merge:** 1 rule is violated. Change this pull request to stay within it, or have somebody whom the rule names approve it with the comment below. Every push is evaluated again.

      \`\`\`
      /tollgate approve 3f2c9a41d0b7e6588c1f4a92be07d35c6a1e9f80 up to 2918.40 USD REASON
      \`\`\`

      #### Approvals

      - ✍️ \`monthly-increase\` still needs 1 approval from \`@acme/finops\` or \`@dana\`
      - ☑️ \`ravi\` approved \`monthly-increase\` up to **$3,000.00** per month on 21 Nov 2026, 13:05 UTC: agreed with the data team, see the capacity plan
      - ✖️ The approval of \`monthly-increase\` by \`dana\` is no longer in force: the rule finds more than was approved

      #### Why

      - ⛔ \`monthly-increase\` in \`production\`: **+$2,918.40** per month (limit **+$500.00**) · Growth like this needs a word from FinOps first
      - ⚠️ \`watch-percent\`: **+29.06%** in monthly cost (limit **+20%**)
      - ☑️ \`no-replacements\`: **1** resource would be replaced (limit **0**) · \`module.database.aws_db_instance.main\` · waived until 31 Mar 2027 by \`dana\`, because: moves to the larger class for the load test

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`production\` | +$2,918.40 | $9,214.55 | $12,132.95 |
      | \`staging\` | +$108.32 | $1,202.10 | $1,310.42 |
      | **Total** | **+$3,026.72** | **$10,416.65** | **$13,443.37** |

      Since the last push (\`77aa01b2\`): **−$120.00** per month.

      ⚠️ 3 resources have no known price and are not in the estimate: \`aws_iot_thing\` (×2), \`aws_appsync_api\`.

      ⚠️ 1 resource is also paid by usage, which is not in the estimate: \`module.network.module.nat.aws_nat_gateway.this[0]\`.

      #### What drives it

      | Change | Module | \`production\` | \`staging\` |
      |--:|:--|--:|--:|
      | +$2,210.40 | \`database\` | +$2,210.40 | 0 |
      | +$220.40 | └&nbsp;\`database.replica\` | +$220.40 | 0 |
      | +$1,990.00 | └&nbsp;\`database\` itself | +$1,990.00 | 0 |
      | +$640.32 | \`web\` | +$532.00 | +$108.32 |
      | +$131.40 | \`network.nat\` | +$131.40 | 0 |
      | +$44.60 | \`root\` | +$44.60 | 0 |

      <details>
      <summary>7 resources, largest change first</summary>

      | Change | Resource |
      |--:|:--|
      | +$1,990.00 | **replaced** \`module.database.aws_db_instance.main\` in \`production\` |
      | +$266.00 | changed \`module.web.aws_instance.app["eu-west-1a"]\` in \`production\` |
      | +$266.00 | changed \`module.web.aws_instance.app["eu-west-1b"]\` in \`production\` |
      | +$220.40 | created \`module.database.module.replica.aws_db_instance.this\` in \`production\` |
      | +$131.40 | created \`module.network.module.nat.aws_nat_gateway.this[0]\` in \`production\`, plus usage |
      | +$108.32 | changed \`module.web.aws_instance.app\` in \`staging\` |
      | +$44.60 | drifted \`aws_cloudwatch_log_group.app\` in \`production\` |

      </details>

      #### What changes

      Resources: **3** created, **4** changed, **1** deleted, **1** drifted. Of these, 1 is replaced (deleted and created again).

      Drift in \`production\`: **+$44.60** of the change undoes or absorbs what was changed outside; **+$2,873.80** is this change's own.

      - **replaced** \`module.database.aws_db_instance.main\` in \`production\`: \`instance_class\`, \`storage_type\`

      In \`production\`:

      <details>
      <summary>1 drifted</summary>

      - drifted \`aws_cloudwatch_log_group.app\`: \`retention_in_days\`

      </details>

      #### Savings on what this touches

      **$310.50** per month could be saved on resources that change here.

      - saves **$240.00**: \`module.database.aws_db_instance.main\` in \`production\`
      - saves **$70.50**: \`module.web.aws_instance.app\` in \`staging\`

      #### Context

      - ⚠️ **2** open cost anomalies, **$310.00** more than expected: \`data-transfer\` in \`payments\` ($212.40); \`nat-gateway\` in \`payments\` ($97.60)
      - \`orders\`: one costs $0.0123 (20 Nov 2026), and $0.0159 after merging (+28.93%)
      - ⚠️ Governance, 20 Nov 2026: **3** of 120 evaluations failed (as of 3 hours ago)

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });

  it("nothing known", () => {
    expect(comment("all-unknown")).toMatchInlineSnapshot(`
      "### ❓ Undecided: 2 rules could not be evaluated (and 1 that only warns) · cost unknown

      **To merge:** 2 rules could not be evaluated. Unknown values never pass.

      - The estimate is missing or incomplete. The pipeline's log says why; fix it and run the pipeline again for this commit.
      - Some figures may still arrive. Press **Re-check** on the check to try again.

      1 rule could not be evaluated; it only warns.

      #### Why

      - ❓ \`monthly-increase\`: could not be evaluated, because the platform could not be reached; no estimate was made
      - ❓ \`no-deletions\`: could not be evaluated, because the platform has not indexed the execution
      - ❓ \`anomalies\`: could not be evaluated, because the platform could not be reached (it only warns)

      #### Cost per month

      - ⚠️ \`production\`: the cost is not known: the platform could not be reached
      - ⚠️ \`staging\`: the cost is not known: no estimate was made
        - No valid credentials for the registry

      #### What changes

      Which resources change is not known: the platform has not indexed the execution; no plan was given.

      #### Context

      - Open cost anomalies are not known: the platform could not be reached

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });

  it("a database destroyed", () => {
    expect(comment("database-destroyed")).toMatchInlineSnapshot(`
      "### ⛔ Blocked: −$2,162.40 per month (−87.17%)

      **To merge:** 2 rules are violated. Change this pull request to stay within them, or change the rules in \`.github/tollgate.yml\` on \`main\` (except for the organisation's own rules). Every push is evaluated again.

      #### Why

      - ⛔ \`no-database-deletes\`: 2 databases would be deleted: ask the data team · \`module.orders.aws_db_instance.main\`, \`module.orders.aws_db_instance.replica\`
      - ⛔ \`no-deletions\` (the organisation's): **5** resources would be deleted (limit **3**)
        <details>
        <summary>5 by name</summary>

        - \`module.orders.aws_db_instance.main\`
        - \`module.orders.aws_db_instance.replica\`
        - \`module.orders.aws_db_subnet_group.main\`
        - \`module.orders.aws_db_parameter_group.main\`
        - \`module.orders.aws_kms_key.storage\`

        </details>

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`production\` | −$2,162.40 | $2,480.60 | $318.20 |

      #### What drives it

      | Change | Resource |
      |--:|:--|
      | −$1,441.60 | **deleted** \`module.orders.aws_db_instance.main\` |
      | −$720.80 | **deleted** \`module.orders.aws_db_instance.replica\` |

      #### What changes

      Resources: **5** deleted.

      - **deleted** \`module.orders.aws_db_instance.main\`
      - **deleted** \`module.orders.aws_db_instance.replica\`
      - **deleted** \`module.orders.aws_db_subnet_group.main\`
      - **deleted** \`module.orders.aws_db_parameter_group.main\`
      - **deleted** \`module.orders.aws_kms_key.storage\`

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });
});
