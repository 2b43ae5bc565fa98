import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Field, Fields } from "../../../src/render/custom/fields.ts";
import { fillPartial } from "../../../src/render/custom/fill.ts";
import { WORDABLE, WORDABLE_NAMES, type WordableName } from "../../../src/render/custom/names.ts";
import { createRenderer } from "../../../src/render/renderer.ts";
import { templates } from "../evaluation-builder.ts";
import { hostileName } from "../hostile.ts";
import { active, parse, walk } from "../markdown.ts";
import { full } from "./full.ts";

const renderer = createRenderer(templates());

/** A partial that shows every field there is, each in a line of its own. */
function everything(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, field]) => shown(name, field))
    .join("");
}

function shown(name: string, field: Field): string {
  if (field.kind === "value") return `x {{${name}}} y\n\n`;
  if (field.kind === "thing") return `{{#if ${name}}}${everything(prefixed(name, field.of))}{{/if}}`;
  return `{{#each ${name}}}${field.of === "values" ? "x {{this}} y\n\n" : everything(field.of)}{{/each}}`;
}

const prefixed = (name: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([own, field]) => [`${name}.${own}`, field]));

/** What all custom words together write for an evaluation whose names are these. */
function written(names: (field: string) => string): ReadonlyMap<WordableName, string> {
  const partials = WORDABLE_NAMES.map((name) => ({
    name,
    file: "f",
    blob: "b",
    text: everything(WORDABLE[name].fields),
  }));
  const e = { ...full(names), wording: { partials, problems: [] } };
  const tasks = renderer.wordingTasks(e, { details: null, recheckHint: true });
  return new Map(
    tasks.map((task) => {
      const filled = fillPartial(task);
      return [task.name, filled.state === "filled" ? filled.text : JSON.stringify(filled.problems)];
    }),
  );
}

/** Kinds of nodes from outside to inside, with the HTML that the values are made of left out. */
const acting = (text: string): readonly string[] =>
  active(parse(text), null).filter((found) => !/^html: <(?:\/?code|wbr)>$/.test(found));

describe("a name from outside in custom words", () => {
  it("is shown by every one of them, and does nothing", () => {
    const plain = written((field) => `n ${field}`);
    for (const [name, text] of plain) if (name !== "modules-note") expect(text, name).toMatch(/^x .* y$/m);
    expect(plain.get("changes")).toContain("<code>n deleted</code>");
    expect(plain.get("context")).toContain("<code>n prompt</code>");
    fc.assert(
      fc.property(hostileName, (hostile) => {
        for (const [name, text] of written(() => hostile)) {
          expect(acting(text), name).toEqual([]);
          expect(
            walk(parse(text)).filter(({ type }) => type === "inlineCode"),
            name,
          ).toEqual([]);
        }
      }),
      { numRuns: 25 },
    );
  });
});
