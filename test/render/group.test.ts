import { expect, it } from "vitest";
import { renderer } from "./renderer.ts";

const { group } = renderer;

it("a merge group's check says which pull requests block it", () => {
  expect(group({ kind: "not_passed", pulls: [7, 12] }, "main")).toMatchInlineSnapshot(`
    {
      "summary": "These have no passing verdict for exactly their queued commit under the current policy of \`main\`: #7, #12.

    Take them out of the queue, look at their own check, and queue again when it has passed.",
      "text": null,
      "title": "Held back: 2 queued pull requests have not passed",
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
