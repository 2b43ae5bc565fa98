import { expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { EstimatorResults } from "../../src/report/model/facts.ts";
import { evaluation, report, stage } from "./evaluation-builder.ts";
import { comment } from "./renderer.ts";

const ONE: EstimatorResults["listed"][number] = {
  ...{ kind: "finops", policy: "Newer types", address: "aws_instance.web", attribute: "instance_type" },
  ...{ message: "t4g is cheaper", saving: decimal("24.528"), file: "main.tf", line: 3 },
};
const whole = { address: null, attribute: null, message: "", saving: null, file: null, line: null };
const commentOn = (listed: EstimatorResults["listed"], more = 0, figures = true) => {
  const findings = { issues: 1, policies: 1, listed, more };
  const subject = evaluation({
    report: report([stage("prod", ["1", "2"], { estimatorFindings: findings })]),
  });
  return comment({ ...subject, pull: { ...subject.pull, figures } });
};

test("the estimator's own findings are listed with what they save, their place and their policy", () => {
  const text = commentOn(
    [
      ONE,
      { ...ONE, ...whole, kind: "tagging", policy: "Owners", address: "aws_lb.a", message: "missing team" },
      { ...whole, kind: "guardrail", policy: "Too much" },
      { ...whole, kind: "budget", policy: "Shop", message: "ask first" },
    ],
    7,
  );
  expect(/#### Infracost's own policies\n\n([\s\S]*?)\n\n/.exec(text)?.[1]).toMatchInlineSnapshot(`
    "- saves **$24.53**: \`aws_instance.web\` \`instance_type\` (\`main.tf:3\`): t4g is cheaper (\`Newer types\`)
    - \`aws_lb.a\`: missing team (\`Owners\`)
    - the guardrail \`Too much\` is triggered
    - the budget \`Shop\` is exceeded: ask first
    - and 7 more"
  `);
});

test("the estimator's own findings are left out where figures are hidden", () => {
  expect(commentOn([ONE], 0, false)).not.toContain("own policies");
});
