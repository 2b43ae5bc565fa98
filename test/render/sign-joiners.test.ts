import { describe, expect, it } from "vitest";
import { keepCheckSignsTogether, keepSignsTogether, removeJoiners } from "../../src/render/sign-joiners.ts";
import { CASES } from "./cases.ts";
import { HEAD } from "./evaluation-builder.ts";
import { FIVE } from "./five-changes.ts";
import { renderer } from "./renderer.ts";

/** With the joiner made visible. */
const shown = (markdown: string): string => keepSignsTogether(markdown).replaceAll("\u2060", "⌁");

describe("amounts in one piece", () => {
  it.each([
    ["| −$5.00 | +€5.00 | **−¤5** |", "| −⌁$5.00 | +⌁€5.00 | **−⌁¤5** |"],
    ["JPY\u00a05, −87.2%, $5.00, 1 + $5", "JPY\u00a05, −87.2%, $5.00, 1 + $5"],
    ["+$1 `a+$5` +$2 ``b`−$5`` +$3", "+⌁$1 `a+$5` +⌁$2 ``b`−$5`` +⌁$3"],
    [
      "[−$1](https://a.example/?q=+$5) <https://a.example/+$5>",
      "[−⌁$1](https://a.example/?q=+$5) <https://a.example/+$5>",
    ],
    ["a lone ` here\n+$1 `x+$5`", "a lone ` here\n+⌁$1 `x+$5`"],
  ])("%s", (markdown, expected) => expect(shown(markdown)).toBe(expected));

  const links = { details: null, recheckHint: true };

  it.each(Object.entries(CASES))(
    "read elsewhere as they were written, and are legible in a check: %s",
    (_, e) => {
      const comment = renderer.comment(e, links);
      const { title, summary, text } = renderer.check(e, links);
      expect(removeJoiners(keepSignsTogether(comment))).toBe(comment);
      for (const words of [comment, title, summary, text ?? ""]) expect(words).not.toContain("\u2060");
    },
  );

  it("leaves a command as it is to be copied", () => {
    const blocked = FIVE["block-with-approval"];
    if (blocked === undefined) throw new RangeError("there is no such change");
    const command = /\n(\/tollgate approve .*)\n/.exec(
      keepSignsTogether(renderer.comment(blocked, links)),
    )?.[1];
    expect(command).toBe(`/tollgate approve ${HEAD} up to 2918.40 USD REASON`);
  });

  it("reads a word without end, which takes minutes where the time grows with the square of its length, as a team's own texts may contain", () => {
    expect(keepSignsTogether("x".repeat(1_000_000))).toHaveLength(1_000_000);
  });
});

it("a check has its amounts together below its title", () => {
  expect(keepCheckSignsTogether({ title: "saves −$5.00", summary: "| −$5.00 |", text: null })).toEqual({
    title: "saves −$5.00",
    summary: "| −\u2060$5.00 |",
    text: null,
  });
});
