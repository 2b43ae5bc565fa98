import { expect, it } from "vitest";
import { renderer } from "./renderer.ts";

const { group } = renderer;

it("a merge group's check says which pull requests block it", () => {
  expect(group({ kind: "not_passed", pulls: [7, 12] }, "main")).toMatchInlineSnapshot(`
    {
      "summary": "These have no passing verdict for exactly their queued commit under the current policy of \`main\`: #7, #12.

    Take them out of the queue, look at their own check, and queue again when it has passed.",
      "text": null,
      "title": "Blocked: 2 queued pull requests have not passed",
    }
  `);
  expect(group({ kind: "passed", sum: null }, "release/1.x").summary).toMatchInlineSnapshot(
    `"Each pull request in this group passed at exactly its queued commit, under the current policy of \`release/1.x\`."`,
  );
});

it.each(["no_policy", "policy_unusable", "unreadable"] as const)(
  "a group that is %s has words of its own",
  (kind) => {
    const { title, summary } = group({ kind }, "main");
    expect(title.length).toBeGreaterThan(10);
    expect(summary).toContain("main".slice(0, kind === "unreadable" ? 0 : 4));
  },
);

it("a merge group's check names what overlaps, escaped and at most five parts", () => {
  const parts = ["a`b", "b", "c", "d", "e", "f", "g"];
  const overlaps = [
    { workspace: "*w*", pulls: [7, 12], merged: [], parts, unknown: [] },
    { workspace: "v", pulls: [7, 12], merged: [12], parts: [], unknown: [12] },
  ];
  const { title, summary } = group({ kind: "overlap", overlaps }, "main");
  expect(title).toBe("Undecided: changes of 2 workspaces overlap");
  expect(summary.split("\n").filter((line) => line.startsWith("-"))).toMatchInlineSnapshot(`
    [
      "- \`*w*\`: #7, #12 change \`\`a\`b\`\`, \`b\`, \`c\`, \`d\`, \`e\` and 2 more",
      "- \`v\`: #7, #12, and not all changes of #12 are known; merged since the others were planned: #12",
    ]
  `);
});

it.each(["planning", "plan_failed", "not_planned"] as const)(
  "a merge group whose own plan is %s has words of its own, with the workspaces",
  (kind) => {
    const workspaces = Array.from({ length: 22 }, (_, index) => `w${index}`);
    expect(group({ kind, workspaces }, "main").summary).toMatch(/`w19` and 2 more/);
  },
);
