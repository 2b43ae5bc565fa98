import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { formatMention, formatVisibleName } from "../../src/render/escape.ts";
import { evaluatedSituation, evaluation, finding } from "./evaluation-builder.ts";
import { renderer } from "./renderer.ts";

const group = { teams: ["finops"], users: ["ada"], permission: "maintain", count: 1 } as const;
const blocked = (pull: Partial<Evaluation["pull"]> = {}): Evaluation =>
  evaluation({
    pull: { repository: "acme/shop", ...pull },
    situation: evaluatedSituation("block", [
      finding("growth", { approve: { groups: [group], reviews: false } }),
    ]),
    approvals: { live: [], lapsed: [], missing: [{ rule: "growth", groups: [{ group: 0, lacks: 1 }] }] },
  });
const links = { details: null, recheckHint: false };
const asks = (text: string | null): string | undefined =>
  text?.split("\n").find((line) => line.startsWith("- ✍️"));

describe("an approval that is missing", () => {
  it("mentions exactly the given people, in the comment", () => {
    const mentions = new Set(["acme/finops"]);
    expect(asks(renderer.comment(blocked(), { ...links, mentions }))).toMatchInlineSnapshot(
      `"- ✍️ \`growth\` still needs 1 approval from @acme/finops or \`@ada\` or anybody with maintain permission"`,
    );
  });

  it("names approvers without notifying when nobody is given, and in the check", () => {
    const named =
      "- ✍️ `growth` still needs 1 approval from `@acme/finops` or `@ada` or anybody with maintain permission";
    expect(asks(renderer.comment(blocked(), links))).toBe(named);
    expect(asks(renderer.check(blocked(), links).summary)).toBe(named);
  });

  it("names the policy's own words in a local preview", () => {
    expect(asks(renderer.comment(blocked({ local: true }), links))).toContain("`finops` or `ada`");
  });
});

describe("a mention", () => {
  it.each(["ada", "Ada-2", "ada_acme", "acme/finops", "acme/cost-and_usage", "a-c/x--y"])(
    "of %s works",
    (approver) => {
      expect(formatMention(approver)).toBe(`@${approver}`);
    },
  );

  it.each([
    "dependabot[bot]",
    "acme/_finops",
    "acme/finops_",
    "acme/x-_y",
    "acme/a/b",
    "ada bob",
    "ada\n# Passed",
    "`ada`",
    "",
    "-ada",
    "ada-_x",
    "acme/",
  ])("of %j is code", (approver) => {
    expect(formatMention(approver)).toMatch(/^`+ ?[^`]/);
    expect(formatMention(approver)).toContain(formatVisibleName(`@${approver}`));
  });
});
