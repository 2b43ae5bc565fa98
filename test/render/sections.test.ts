import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { ApprovalOffer } from "../../src/policy/model/approval.ts";
import type { EvaluatedPull, Evaluation } from "../../src/policy/model/evaluation.ts";
import type { Finding, ScopeMismatch } from "../../src/policy/model/finding.ts";
import type { CommentSection } from "../../src/policy/model/policy.ts";
import type { CommentProblem } from "../../src/policy/news.ts";
import { type ContextFacts, NO_CONTEXT } from "../../src/report/model/context.ts";
import type { TotalReport } from "../../src/report/model/report.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  HEAD,
  money,
  passed,
  report,
  resource,
  stage,
  unitCost,
} from "./evaluation-builder.ts";
import { FIVE } from "./five-changes.ts";
import { comment, renderer } from "./renderer.ts";

const headings = (e: Evaluation): string[] =>
  [...comment(e).matchAll(/^#### (.*)$/gm)].map(([, heading]) => heading ?? "");
const full = FIVE["block-with-approval"] ?? evaluation();

describe("the policy's own order of sections", () => {
  const inOrder = (...sections: readonly CommentSection[]) => headings({ ...full, sections });

  it("is respected, and what it does not name is left out", () => {
    expect(inOrder("changes", "savings", "costs", "findings")).toEqual([
      "Approvals",
      "What changes",
      "Savings on what this touches",
      "Cost per month",
      "Why",
    ]);
    expect(headings(full)).toEqual([
      "Approvals",
      "Why",
      "Cost per month",
      "What drives it",
      "What changes",
      "Savings on what this touches",
      "Context",
    ]);
  });

  it("gives the resources a heading of their own where they do not follow the modules", () => {
    expect(inOrder("resources", "modules", "findings")).toEqual([
      "Approvals",
      "What drives it",
      "What drives it",
      "Why",
    ]);
    expect(inOrder("findings", "resources")).toEqual(["Approvals", "Why", "What drives it"]);
  });

  it("never leaves out the verdict, what to do, what blocks, and where it came from", () => {
    const bare = comment({ ...full, sections: [] });
    expect(bare).toMatch(/^### ⛔ Blocked: 1 blocking, 1 warning · \+\$3,026\.72/);
    expect(bare).toContain("**To merge:**");
    expect(bare).toContain("- ⛔ `monthly-increase`");
    expect(bare).not.toContain("watch-percent");
    expect(bare).toContain("<sub>Commit");
    const held = FIVE["all-unknown"] ?? evaluation();
    expect(comment({ ...held, sections: ["costs"] })).toContain("- ❓ `monthly-increase`");
  });
});

it.each([
  ["imported", "imported `aws_instance.web`: already paid, $560.00"],
  ["removed", "**no longer managed** `aws_instance.web`: still paid, $560.00"],
] as const)("a resource that is only %s says that it is paid before and after", (action, text) => {
  const amount = decimal("560");
  const paid = resource("aws_instance.web", "0", {
    action,
    before: amount,
    after: amount,
    workspace: "prod",
  });
  const own = report([stage("prod", ["560", "560"])], { resources: [paid] });
  expect(comment(evaluation({ report: own }))).toContain(`| $0.00 | ${text} |`);
});

describe("since the last push", () => {
  const total = (change: string, rest: Partial<TotalReport> = {}): TotalReport => ({
    currency: "USD",
    before: null,
    after: null,
    change: decimal(change),
    percent: null,
    state: "known",
    because: [],
    ...rest,
  });
  const said = (before: TotalReport | null, e: Partial<Evaluation> = {}): string | undefined => {
    const previous = before === null ? null : { headSha: HEAD, totals: [before] };
    const now = evaluation({ report: report([stage("s", ["100", "400"])]), previous, ...e });
    return comment(now)
      .split("\n")
      .find((line) => line.startsWith("Since the last push"));
  };

  it.each([
    ["420", "**−$120.00** per month"],
    ["299.9996", "**+$0.0004** per month"],
    ["300", "no change in cost"],
  ])("a change of %s then: %s", (then, words) => {
    expect(said(total(then))).toBe(`Since the last push (\`3f2c9a41\`): ${words}.`);
  });

  it.each<[string, TotalReport | null, Partial<Evaluation>]>([
    ["there was none", null, {}],
    ["it was in another currency", total("1", { currency: "EUR" }), {}],
    ["it was not known then", total("1", { state: "partial", because: ["not_estimated"] }), {}],
    ["it is not known now", total("1"), { report: report([stage("s", ["1", "2"], { state: "partial" })]) }],
  ])("nothing where %s", (_, before, e) => {
    expect(said(before, e)).toBeUndefined();
  });

  it("a currency that came or went counts from nothing, and to nothing", () => {
    const previous = { headSha: HEAD, totals: [total("300"), total("50", { currency: "EUR" })] };
    const went = evaluation({ report: report([stage("s", ["100", "400"])]), previous });
    expect(comment(went)).toContain("Since the last push (`3f2c9a41`): **−€50.00** per month.");
    const both = report([stage("s", ["100", "400"]), stage("t", ["0", "7"], { currency: "EUR" })]);
    expect(said(total("300"), { report: both })).toContain("): **+€7.00** per month.");
  });

  it("nothing where one of several currencies is not known", () => {
    const unknown = total("50", { currency: "EUR", state: "partial", because: ["not_estimated"] });
    const previous = { headSha: HEAD, totals: [total("300"), unknown] };
    const now = evaluation({ report: report([stage("s", ["100", "400"])]), previous });
    expect(comment(now)).not.toContain("Since the last push");
  });

  it("nothing where figures are not shown", () => {
    const hidden = evaluation({ report: full.report, previous: full.previous, pull: { figures: false } });
    expect(comment(hidden)).not.toContain("Since the last push");
  });
});

describe("waivers and approvals", () => {
  const covered = { waiver: { owner: "dana", reason: "load test", untilMs: Date.UTC(2027, 3, 1) } };

  it("a waived violation says until when, by whom and why, and blocks nothing", () => {
    const text = comment(
      evaluation({ situation: evaluatedSituation("pass", [finding("increase", covered), passed("total")]) }),
    );
    expect(text).toContain(
      "- ☑️ `increase`: **+$2,918.40** per month (limit **+$500.00**) · waived until 31 Mar 2027 by `dana`, because: load test",
    );
    expect(text).toContain(
      "Nothing to do. The rules of the policy are met, 1 of 2 by a waiver or an approval.",
    );
  });

  it("an approved violation says so", () => {
    const text = comment(
      evaluation({ situation: evaluatedSituation("pass", [finding("increase", { approved: true })]) }),
    );
    expect(text).toContain("(limit **+$500.00**) · approved");
    expect(text).toContain(
      "Nothing to do. The violations of the one rule of the policy are waived or approved.",
    );
  });

  it("the command that approves names the head and the largest amount, or no amount where nobody may see it", () => {
    const offer: ApprovalOffer = {
      commands: [{ rules: [], upTo: money("600.0001") }],
      rules: ["a"],
      opensGate: true,
      why: null,
    };
    const blocked = (pull: Partial<EvaluatedPull>, offered: ApprovalOffer = offer) =>
      comment(
        evaluation({
          situation: evaluatedSituation("block", [finding("a")]),
          approvals: { live: [], lapsed: [], missing: [], offer: offered },
          pull,
        }),
      );
    const line = (amount: string) =>
      `\n\n\`\`\`\n/tollgate approve ${HEAD} up to ${amount} REASON\n\`\`\`\n\n`;
    expect(blocked({})).toContain(line("600.0001 USD"));
    expect(blocked({ figures: false })).toContain(line("AMOUNT"));
    const rules = Array.from({ length: 20 }, (_, at) => `rule-with-a-long-name-${at}`);
    const many = { ...offer, commands: [{ rules, upTo: null }] };
    expect(blocked({}, many)).toContain(`\n/tollgate approve ${HEAD} ${rules.join(" ")} REASON\n`);
    expect(blocked({ local: true })).not.toContain("/tollgate approve");
  });
});

describe("the section of the platform's facts", () => {
  const around = (context: Partial<ContextFacts>, figures = true): string => {
    const text = comment(
      evaluation({
        report: report([stage("prod", ["1", "2"])], { context: { ...NO_CONTEXT, ...context } }),
        pull: { figures },
      }),
    );
    return (
      text
        .slice(text.includes("#### Context") ? text.indexOf("#### Context") : text.length)
        .split("\n\n<sub>")[0] ?? ""
    );
  };

  it("shows no amount to readers who may see none", () => {
    const anomalies = {
      state: "known",
      value: {
        count: 1,
        impact: money("7"),
        items: [{ id: "a", resource: "nat", perspective: null, spend: money("5") }],
      },
    } as const;
    const unitCosts = {
      state: "known",
      value: [unitCost("orders", "1", "2")],
    } as const;
    const savings = {
      state: "known",
      value: { totals: [money("3")], items: [], unmatched: 0 },
    } as const;
    expect(around({ anomalies, unitCosts, savings }, false)).toBe(
      "#### Context\n\n- ⚠️ **1** open cost anomaly: `nat`",
    );
  });

  it("shows what a lifetime costs, and how often drift is checked", () => {
    const schedules = {
      state: "known",
      value: [
        { org: "default", project: "payments", provisioner: "x", driftEveryMs: 21_600_000, lifetime: null },
      ],
    } as const;
    const e = evaluation({
      report: report([stage("prod", ["1", "2"])], {
        context: { ...NO_CONTEXT, schedules },
        lifetimes: [
          {
            stage: "default/payments/prod",
            workspace: "prod",
            currency: "USD",
            lifetimeMs: 28_800_000,
            amount: decimal("0.022"),
          },
        ],
      }),
    });
    expect(comment(e)).toContain(
      "- What this builds is destroyed again after 8 hours: **$0.02** for one lifetime",
    );
    expect(comment(e)).toContain("- In `default/payments` drift is checked every 6 hours");
  });
});

describe("where figures came from", () => {
  it("is said once for executions that came in the same way", () => {
    const run = (executionId: string, source: "status" | "audit") =>
      stage(executionId, ["1", "2"], { executionId, source });
    const stages = [run("a", "audit"), run("b", "audit"), run("c", "status"), run("d", "audit")];
    expect(comment(evaluation({ report: report(stages) }))).toContain(
      "Figures from execution `a`, execution `b` (recorded for this commit), execution `c` (named by a commit status), execution `d` (recorded for this commit)",
    );
  });
});

describe("an approval that is no longer in force", () => {
  it("names the rule again only where several were approved", () => {
    const lapsed = (...rules: readonly string[]): string => {
      const blocked = FIVE["block-with-approval"];
      const [one] = blocked?.approvals.lapsed ?? [];
      const [first] = one?.approval.covered ?? [];
      if (blocked === undefined || one === undefined || first === undefined) throw new RangeError("none");
      const approval = { ...one.approval, covered: rules.map((rule) => ({ ...first, rule })) };
      return comment({
        ...blocked,
        approvals: {
          ...blocked.approvals,
          lapsed: [{ approval, why: { kind: "over_amount", rule: "monthly-increase" } }],
        },
      });
    };
    expect(lapsed("monthly-increase")).toContain(
      "The approval of `monthly-increase` by `dana` is no longer in force: the rule finds more than was approved",
    );
    expect(lapsed("monthly-increase", "other")).toContain(
      "The approval of `monthly-increase`, `other` by `dana` is no longer in force: `monthly-increase` finds more than was approved",
    );
  });
});

describe("a rule that is not applicable", () => {
  const typo = (rule: string, mismatch: Partial<ScopeMismatch> = {}) =>
    finding(rule, {
      outcome: "not_applicable",
      measured: null,
      mismatch: {
        member: "stages",
        patterns: ["prodution"],
        here: ["production", "staging"],
        more: 0,
        meant: "production",
        ...mismatch,
      },
    });
  const says = (...findings: readonly Finding[]) =>
    comment(
      evaluation({
        report: report([stage("production", ["0", "900"])]),
        situation: evaluatedSituation("pass", findings),
      }),
    );

  it("is shown with what is here, and is not counted as met", () => {
    const types = typo("databases", {
      member: "resource_types",
      patterns: ["aws_db_*", "aws_rds_*"],
      here: ["aws_instance"],
      more: 12,
      meant: null,
    });
    expect(says(passed("monthly"), passed("total"), typo("prod-increase"), types)).toMatchInlineSnapshot(`
      "### ✅ Passed: +$900.00 per month (new)

      Nothing to do. Both rules of the policy are met. 2 more are not applicable.

      #### Not applicable

      - ➖ \`prod-increase\`: no stage matches \`prodution\` (did you mean \`production\`?); here: \`production\`, \`staging\`
      - ➖ \`databases\`: no resource type matches \`aws_db_*\` or \`aws_rds_*\`; here: \`aws_instance\` and 12 more

      #### Cost per month

      | Stage | Change | Before | After |
      |:--|--:|--:|--:|
      | \`production\` | +$900.00 | $0.00 | $900.00 |

      #### What changes

      Which resources change is not known.

      <sub>Commit \`3f2c9a41\` into \`main\` · Figures from execution \`kX7pQ2mVTzW9\` (named by a commit status) · Rules from \`.github/tollgate.yml\`</sub>"
    `);
  });

  it("is only counted where it is simply for other pull requests", () => {
    const release = typo("release", {
      member: "branches",
      patterns: ["release"],
      here: ["main"],
      meant: null,
    });
    const budget = typo("budget", { member: "workspaces", meant: null, elsewhere: true });
    const text = says(release, budget);
    expect(text).toContain("Nothing to do. None of the 2 rules of the policy is applicable.");
    expect(text).not.toContain("➖");
    expect(says(release)).toContain("Nothing to do. The one rule of the policy is not applicable.");
  });

  it("is explained when it is asked for by name", () => {
    const release = typo("release", {
      member: "branches",
      patterns: ["release"],
      here: ["main"],
      meant: null,
    });
    const explained = (rule: string) =>
      renderer.answer(
        { kind: "explain", rule },
        evaluation({ situation: evaluatedSituation("pass", [release, passed("met")]) }),
      );
    expect(explained("release")).toContain("- ➖ `release`: no base branch matches `release`; here: `main`");
    expect(explained("release")).not.toContain("is met");
    expect(explained("met")).toContain("The rule `met` is met.");
  });

  it("is shown in the check as well", () => {
    const situation = evaluatedSituation("pass", [typo("prod-increase")]);
    const { summary } = renderer.check(evaluation({ situation }), { details: null, recheckHint: false });
    expect(summary).toContain("- ➖ `prod-increase`: no stage matches `prodution`");
  });

  it("is folded away where there are many", () => {
    const many = says(...Array.from({ length: 12 }, (_, at) => typo(`rule-${at}`)));
    expect(many).toContain("<summary>12 rules whose scope nothing here matches</summary>");
    expect(many).toContain("- and 2 more");
  });
});

describe("a check whose pull request has no comment as it should be", () => {
  it.each<[CommentProblem, string]>([
    ["locked", "missing or out of date:** its conversation is locked."],
    ["blocked", "missing or out of date:** Tollgate is blocked from commenting."],
    ["restricted", "missing or out of date:** GitHub restricts who may comment here."],
    ["disabled", "missing or out of date:** comments are disabled here."],
    ["limited", "missing or out of date:** GitHub takes no more comments for now."],
    ["too_long", "missing or out of date:** GitHub finds it too long."],
    ["unavailable", "missing or out of date:** GitHub could not be reached for it."],
    ["refused", "missing or out of date:** GitHub refused it."],
  ])("says why: %s", (commentProblem, words) => {
    expect(renderer.check(full, { details: null, recheckHint: false, commentProblem }).summary).toContain(
      words,
    );
    expect(comment(full)).not.toContain(words);
  });
});
