import { describe, expect, it } from "vitest";
import type { OverrideRefusal } from "../../src/policy/model/approval.ts";
import type { CommandProblemAnswer } from "../../src/render/render-answer.ts";
import { evaluation, HEAD } from "./evaluation-builder.ts";
import { renderer } from "./renderer.ts";

const OTHER = "b".repeat(40);

const refusal = (why: OverrideRefusal) => renderer.answer({ kind: "override_refused", why }, evaluation());
const refusalTo = (
  kind: Exclude<OverrideRefusal["kind"], "other_head" | "evaluated_later" | "team_missing">,
) => refusal({ kind });
const problem = (of: CommandProblemAnswer) =>
  renderer.answer({ kind: "malformed", problem: of }, evaluation());
const [COMMAND] =
  refusal({ kind: "evaluated_later", headSha: HEAD }).match(/^ *\/tollgate override .*$/m) ?? [];

describe("the answer to an override that is refused says why", () => {
  it.each<[string, string, string]>([
    [
      "another commit is named",
      refusal({ kind: "other_head", named: OTHER, headSha: HEAD }),
      `\`${OTHER}\` is not the head of this pull request, which is \`${HEAD}\` now.`,
    ],
    [
      "it is older than the evaluation",
      refusal({ kind: "evaluated_later", headSha: HEAD }),
      "this comment is older than the first evaluation",
    ],
    [
      "the policy names nobody",
      refusalTo("not_allowed"),
      "the policy on `main` lets nobody override its check.",
    ],
    [
      "the policy names others",
      refusalTo("not_named"),
      "the policy on `main` names others to override its check.",
    ],
    [
      "its person may not write",
      refusalTo("no_permission"),
      "it takes at least write permission on this repository",
    ],
    ["its person worked on it", refusalTo("contributed"), "you opened this pull request or worked on it"],
    ["the check passes", refusalTo("nothing_to_override"), "the check passes already"],
    ["it is a draft", refusalTo("draft"), "is a draft"],
    ["a CI job takes none", refusalTo("ci_job"), "only a Tollgate server takes overrides"],
  ])("%s", (_, answer, words) => {
    expect(answer.startsWith("Not overridden: ")).toBe(true);
    expect(answer).toContain(words);
  });

  it("and has the command for this head where it can be written again", () => {
    expect(COMMAND?.trim()).toBe(`/tollgate override ${HEAD} REASON`);
    expect(refusalTo("draft")).not.toContain("/tollgate override");
  });
});

describe("the answer to a command that cannot be read", () => {
  it("says that the beginning of a commit's id is not enough for an override", () => {
    expect(problem({ kind: "sha", verb: "override", found: HEAD.slice(0, 12) })).toContain(
      `\`${HEAD.slice(0, 12)}\` is only the beginning of the commit's id. Another commit can have the same beginning, so an override names all 40 digits.`,
    );
  });

  it("asks for the reason that is missing", () => {
    expect(problem({ kind: "reason" })).toContain(
      "The reason is missing: say in a few words why this may be merged.",
    );
  });
});
