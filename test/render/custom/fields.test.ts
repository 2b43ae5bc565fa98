import { describe, expect, it } from "vitest";
import { commentView } from "../../../src/render/comment-view.ts";
import type { Field, Fields } from "../../../src/render/custom/fields.ts";
import { WORDABLE, WORDABLE_NAMES, type WordableName } from "../../../src/render/custom/names.ts";
import { subjectOf } from "../../../src/render/sections/section.ts";
import { CASES } from "../cases.ts";
import { full } from "./full.ts";

const REPLACED = WORDABLE_NAMES.filter((name) => WORDABLE[name].where.kind === "instead");

/** What our own words of that name are given in every case there is. */
const viewsOf = (name: WordableName): readonly object[] =>
  [...Object.values(CASES), full((field) => field)].flatMap((e) =>
    commentView(subjectOf(e, { details: null, recheck: true, github: null }))
      .filter(({ template }) => template === name)
      .flatMap((section) => section.view(section.rows) ?? []),
  );

describe("the fields that a partial may use", () => {
  it.each(REPLACED)("are what our own words are given, each and no other: %s", (name) => {
    const views = viewsOf(name);
    expect(views.length).toBeGreaterThan(0);
    const { fields } = WORDABLE[name];
    const more = new Set(views.flatMap((view) => undocumented(fields, view)));
    expect(more, "fields for src/render/custom/fields.ts; then npm run generate:wording").toEqual(new Set());
    const given = new Set(views.flatMap((view) => Object.keys(view)));
    expect(Object.keys(fields).filter((field) => !given.has(field))).toEqual([]);
  });
});

/** Paths in a view that the table does not have. */
function undocumented(fields: Fields, view: object): readonly string[] {
  return Object.entries(view).flatMap(([key, found]: [string, unknown]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field === undefined ? [key] : inner(field, found).map((path) => `${key}.${path}`);
  });
}

function inner(field: Field, found: unknown): readonly string[] {
  if (field.kind === "value" || field.of === "values") return [];
  const { of } = field;
  const items: readonly unknown[] = Array.isArray(found) ? found : [found];
  return items.flatMap((item) => (typeof item === "object" && item !== null ? undocumented(of, item) : []));
}
