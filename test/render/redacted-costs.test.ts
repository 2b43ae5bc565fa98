import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import {
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  module,
  money,
  report,
  resource,
  stage,
} from "./evaluation-builder.ts";
import { comment, renderer } from "./renderer.ts";

const links = { details: null, recheckHint: false };

describe("figures that this repository's readers may not see", () => {
  it("are nowhere: not in the comment, the check or its title", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 9_999 }), fc.integer({ min: 1_000, max: 9_999 }), (a, b) => {
        const secret = evaluation({
          pull: { figures: false },
          report: report(
            [stage("x", [`${a}`, `${a + b}`], { state: "partial", problems: [`costs ${b} dollars`] })],
            {
              modules: [module("m", `${b}`), module("n", "0")],
              resources: [resource("r", `${b}`)],
              changes: changes({ added: 3 }),
            },
          ),
          situation: evaluatedSituation("block", [
            finding("increase", {
              measured: { kind: "money", ...money(`${b}`) },
              limit: { kind: "increase", amount: money(`${a}`) },
            }),
            finding("total", {
              measured: { kind: "money", ...money(`${a + b}`) },
              limit: { kind: "total", amount: money(`${a}`) },
            }),
            finding("percent", {
              measured: { kind: "percent", percent: decimal(`${b}`) },
              limit: { kind: "percent", percent: decimal(`${a}`) },
            }),
          ]),
        });
        const { title, summary, text } = renderer.check(secret, links);
        const all = [comment(secret), title, summary, text ?? ""].join("\n").replaceAll(",", "");
        expect(all).not.toMatch(/[$€¤%]|USD/);
        for (const figure of [a, b, a + b]) expect(all).not.toMatch(new RegExp(`\\b${figure}\\b`));
        expect(all).toContain("**3** created");
      }),
    );
  });
});
