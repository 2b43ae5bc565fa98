import { describe, expect, it } from "vitest";
import { CASES } from "./cases.ts";
import { renderer } from "./renderer.ts";

function comment(of: string): string {
  const evaluation = CASES[of];
  if (evaluation === undefined) throw new RangeError(of);
  return renderer.comment(evaluation, {
    details: "https://tollgate.example/acme/payments/7",
    recheckHint: true,
  });
}

describe("a comment reads, as a whole", () => {
  it("while executions are missing", () => {
    expect(comment("waiting")).toMatchInlineSnapshot(`
      "### ⏳ Waiting for 2 executions · +$86.60 per month (+0.94%) so far

      Nothing to do. This updates by itself; the check fails if anything is still missing at **21 Nov 2026, 14:05 UTC**.

      - \`staging-network\`: still running
      - \`edge-*\`: not seen yet

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`prod-network\` | +$86.60 | $9,214.55 | $9,301.15 |

      #### What changes

      Resources: **1** created.

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\` · [All details](https://tollgate.example/acme/payments/7)</sub>"
    `);
  });

  it("when the policy file has mistakes", () => {
    expect(comment("invalid")).toMatchInlineSnapshot(`
      "### ❓ Undecided: 2 mistakes in the policy file

      **To merge:** correct the mistakes below in the policy file itself (for a repository's file, on \`main\`). Then every open pull request is evaluated again.

      - \`.github/tollgate.yml\`, line 12, column 7, \`rules[1].limit.increase\`: expected an amount with its currency like "500 USD", found "5k"
      - \`.github/tollgate.yml\`, line 15, column 3, \`rules[2]\`: unknown key "enforced", did you mean "enforce"?

      <sub>Commit \`3f2c9a41\` into \`main\` · Rules from \`.github/tollgate.yml\` · [All details](https://tollgate.example/acme/payments/7)</sub>"
    `);
  });

  it("without a policy", () => {
    expect(comment("no-policy")).toMatchInlineSnapshot(`
      "### 📊 +$12.40 per month (+14.73%)

      No rules are set, so nothing is held back. To set limits, add \`.github/tollgate.yml\` to \`main\`.

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`prod-network\` | +$12.40 | $84.20 | $96.60 |

      #### What changes

      Resources: **1** created.

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · [All details](https://tollgate.example/acme/payments/7)</sub>"
    `);
  });

  it("where amounts are hidden", () => {
    expect(comment("public")).toMatchInlineSnapshot(`
      "### ⛔ Blocked

      **To merge:** 3 rules are violated. Change this pull request to stay within them, or change the rules in \`.github/tollgate.yml\` on \`main\`. Every push is evaluated again.

      #### Why

      - ⛔ \`monthly-increase\` in \`production\`: the increase per month is over the limit
      - ⛔ \`no-deletions\`: **2** resources would be deleted (limit **0**)
      - ⛔ \`growth\`: the increase is over the limit

      Amounts are not shown here, because not everyone who reads this repository may see them.

      ⚠️ 3 resources have no known price and are not in the estimate: \`aws_iot_thing\` (×2), \`aws_appsync_api\`.

      #### What changes

      Resources: **4** created, **2** changed, **2** deleted, **1** drifted. Of these, 1 is replaced (deleted and created again).

      - **deleted** \`module.database.aws_db_instance.legacy\` in \`production\`
      - **replaced** \`module.web.aws_launch_template.app\` in \`production\`

      In \`production\`:

      <details>
      <summary>1 drifted</summary>

      - drifted \`aws_security_group.bastion\`

      </details>

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\` · [All details](https://tollgate.example/acme/payments/7)</sub>"
    `);
  });

  it("with several currencies", () => {
    expect(comment("currencies")).toMatchInlineSnapshot(`
      "### ❓ Undecided: 1 rule could not be evaluated · +$224.00, +€95.00 per month

      **To merge:** 1 rule could not be evaluated. Unknown values never pass.

      - A rule and the estimate are in two currencies. Write the rule in the currency of the estimate.

      #### Why

      - ❓ \`monthly-increase\`: could not be evaluated, because the cost is in \`EUR\` and the rule in \`USD\`

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`prod-us\` | +$212.00 | $9,214.55 | $9,426.55 |
      | \`dev-us\` | +$12.00 | $214.55 | $226.55 |
      | **Total** | **+$224.00** | **$9,429.10** | **$9,653.10** |
      | \`prod-eu\` | +€95.00 | €1,000.00 | €1,095.00 |
      | \`prod-uk\` | £0.00 | £70.10 | £70.10 |

      #### What drives it

      | Change | Module |
      |--:|:--|
      | +$212.00 | \`web\` |
      | +$12.00 | \`root\` |
      | +€95.00 | \`web\` |

      #### What changes

      Resources: **3** created.

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\` · [All details](https://tollgate.example/acme/payments/7)</sub>"
    `);
  });

  it("when figures cannot be relied on and the policy is edited", () => {
    expect(comment("odd")).toMatchInlineSnapshot(`
      "### ❓ Undecided: 2 rules could not be evaluated · −$2,238.81 per month, unreliable

      **To merge:** 2 rules could not be evaluated. Unknown values never pass.

      - The estimate is missing or incomplete. The pipeline's log says why; fix it and run the pipeline again for this commit.
      - Tollgate may not use some of the figures. Ask the operator of Tollgate.
      - The figures contradict each other. Run the estimate again.

      #### Why

      - ❓ \`monthly-increase\`: could not be evaluated, because the figures contradict each other; nothing proves that the execution belongs to this commit
      - ❓ \`total\` (the organisation's): could not be evaluated, because part of the cost is not known

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`prod-network\` | −$2,240.81 | $5,325.30 | $3,084.50 |
      | \`staging-network\` (unproven) | +$2.00 | $10.00 | $12.00 |
      | \`dev-network\` (partly unknown) | +$0.0004 | $3.0000 | $3.0004 |
      | **Total** | **−$2,238.81** known, rest unknown | at least **$5,338.30** | at least **$3,099.50** |

      <sub>Amounts are rounded, so they may not add up exactly to the total.</sub>

      - ⚠️ \`prod-network\`: the parts of the estimate contradict its total
      - ⚠️ \`staging-network\`: nothing proves that this execution belongs to this commit, so no rule relies on its figures
      - ⚠️ \`dev-network\`: part of the cost is not known: the estimate does not state it
      - 1 execution was named that this repository may not see. The operator of Tollgate can grant access to it.

      #### What changes

      Resources: **5** created, **5** deleted. How many of the deleted are replaced is not known.

      #### This pull request edits the policy

      It is evaluated by the rules on \`main\`, not by its own rules. Under its own rules it would pass.

      - Changed: \`monthly-increase\`
      - Removed: \`no-deletions\`, \`\`x\`y\`\`
      - Waivers removed from: \`monthly-increase\`
      - Changed too: expected executions, comments

      Of the last 20 pull requests, without approvals:

      - 2 would be blocked instead of passing (41, 38)
      - 1 would pass instead of being undecided (40)

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Older, not counted: \`aB3\`, \`cD4\` · Rules from \`.github/tollgate.yml\` · Ignored: a check of the same name by \`mallory\` · [All details](https://tollgate.example/acme/payments/7)</sub>"
    `);
  });
});
