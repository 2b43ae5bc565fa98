import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import { CONTEXT } from "../policy/policies.ts";
import { evaluatedSituation, evaluation, finding, money, report, row, stage } from "./evaluation-builder.ts";
import { renderer } from "./renderer.ts";

const driver = (address: string, change: string, line: number, file = "infra/main.tf") => ({
  ...{ address, change: decimal(change), currency: "USD", place: { file, line } },
});
const INCREASE = finding("monthly-increase", {
  drivers: [driver("aws_db_instance.main", "730.5", 12), driver("aws_instance.web", "60", 3)],
});
const APPROVE = { groups: [], reviews: false };
const DELETIONS = finding("deletions", {
  limit: { kind: "deletions", count: 0 },
  measured: { kind: "count", count: 2 },
  items: ["prod: aws_s3_bucket.logs", "prod: aws_s3_bucket.nowhere"],
});
const ROW = { ...row("replaced", "aws_s3_bucket.logs", "prod"), place: { file: "infra/s3.tf", line: 7 } };

const annotate = (findings: readonly Finding[], parts: Partial<Evaluation> & { figures?: boolean } = {}) => {
  const { figures = true, ...rest } = parts;
  return renderer.check(
    evaluation({
      pull: { figures },
      report: report([stage("prod", ["0", "2918.40"])], { rows: [ROW] }),
      context: { ...CONTEXT, paths: ["infra/main.tf", "infra/s3.tf"] },
      situation: evaluatedSituation("block", findings),
      ...rest,
    }),
    { details: null, recheckHint: false },
  ).annotations;
};
const listed = (...given: Parameters<typeof annotate>) =>
  annotate(...given).map(({ path, line, level, title }) => `${level} ${title} ${path}:${line}`);

describe("annotations", () => {
  it("say what a rule found beside the lines of the resources that raise the cost, and of those that it names", () => {
    const found = annotate([
      { ...INCREASE, approve: APPROVE },
      { ...DELETIONS, enforce: "warn" },
    ]);
    expect(found.map(({ path, line, level, title }) => `${level} ${title} ${path}:${line}`)).toEqual([
      "failure monthly-increase infra/main.tf:12",
      "failure monthly-increase infra/main.tf:3",
      "warning deletions infra/s3.tf:7",
    ]);
    expect([found[0]?.message, found[2]?.message]).toEqual([
      "aws_db_instance.main: +$730.50 per month\n" +
        "Why: +$2,918.40 per month (limit +$500.00)\n" +
        "Change it to stay within the rule, or have it approved: the check says how.",
      "prod: aws_s3_bucket.logs\nWhy: 2 resources would be deleted (limit 0)\nThis only warns.",
    ]);
  });

  it.each<[string, readonly Finding[], readonly string[]]>([
    ["are none for a rule that passed", [{ ...INCREASE, outcome: "passed" }], []],
    ["are none for one that is undecided", [{ ...INCREASE, outcome: "undecided" }], []],
    ["are none for one that is approved", [{ ...INCREASE, approved: true }], []],
    [
      "are none for one that is waived",
      [{ ...INCREASE, waiver: { owner: "dana", reason: "test", untilMs: 1 } }],
      [],
    ],
    [
      "are none in files that the pull request does not change",
      [finding("increase", { drivers: [driver("a.b", "1", 1, "modules/x.tf")] })],
      [],
    ],
    [
      "are one for each line and rule",
      [
        finding("increase", { subject: "dev", drivers: [driver("a.b", "9", 1)] }),
        finding("increase", { subject: "prod", drivers: [driver("a.b", "5", 1)] }),
        finding("total", { drivers: [driver("a.b", "5", 1)] }),
      ],
      ["failure increase infra/main.tf:1", "failure total infra/main.tf:1"],
    ],
  ])("%s", (...[, findings, expected]) => {
    expect(listed(findings)).toEqual(expected);
  });

  it("are 50 at most, and 20 of one finding, the largest first", () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      ...row("replaced", `aws_s3_bucket.b${at}`, "prod"),
      place: { file: "infra/s3.tf", line: at + 1 },
    }));
    const items = rows.map(({ address }) => `prod: ${address}`);
    const many = [1, 2, 3, 4].map((number) => ({ ...DELETIONS, rule: `deletions-${number}`, items }));
    const found = listed(many, { report: report([stage("prod", ["0", "1"])], { rows }) });
    expect(found).toHaveLength(50);
    expect([found[0], found[20], found[49]]).toEqual([
      "failure deletions-1 infra/s3.tf:1",
      "failure deletions-2 infra/s3.tf:1",
      "failure deletions-3 infra/s3.tf:10",
    ]);
  });

  it("are none of a check without a conclusion", () => {
    expect(annotate([INCREASE], { check: { status: "in_progress" } })).toEqual([]);
  });

  it("tell no amount where figures are hidden, nor which resources raise the cost", () => {
    const found = annotate([INCREASE, DELETIONS], { figures: false });
    expect(found.map(({ title }) => title)).toEqual(["deletions"]);
    expect(JSON.stringify(found)).not.toMatch(/[$€]|730|500/);
  });

  it("repeat what the estimator says of a resource, unless figures are hidden", () => {
    const estimatorFindings = {
      ...{ issues: 1, policies: 0, more: 0 },
      listed: [
        {
          ...{ kind: "finops" as const, policy: "Newer types", address: "aws_instance.web" },
          ...{ attribute: null, message: "save 24.53 with t4g", saving: decimal("24.53") },
          ...{ file: "infra/main.tf", line: 3 },
        },
      ],
    };
    const issues = finding("issues", {
      limit: { kind: "finops-issues", count: 0 },
      measured: { kind: "count", count: 1 },
      items: ["prod: aws_instance.web"],
    });
    const of = (figures: boolean) =>
      annotate([issues], { figures, report: report([stage("prod", ["0", "1"], { estimatorFindings })]) });
    expect(of(true)[0]?.message).toContain("prod: aws_instance.web: save 24.53 with t4g\n");
    expect(of(false)[0]?.message).not.toContain("24.53");
    expect(of(false)).toHaveLength(1);
  });

  it("have no markup, and show hidden characters", () => {
    const [one] = annotate([
      finding("rule\u202e", {
        measured: { kind: "money", ...money("9") },
        drivers: [driver("a.b\u200b", "9", 1)],
        message: "see modules/**",
      }),
    ]);
    expect(one?.title).toBe("rule\\u{202e}");
    expect(one?.message).toContain("a.b\\u{200b}: +$9.00 per month\n");
    expect(one?.message.replace("`see modules/**`", "")).toMatch(/\$9\.00[^*`]*$/);
  });
});
