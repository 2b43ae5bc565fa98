import type { Field, Fields } from "./fields.ts";

/** A code span as `escape.ts` writes it: marks around it for names that run from right to left, fence, text, fence. */
const SPAN = /^(\u2068?)(`+)([\s\S]*)\2(\u2069?)$/;

/**
 * A text of a view model for words that somebody else wrote. A code span is inert where our own templates put it; in a link, a
 * table or within other backticks it would end early. So it becomes `<code>` with every sign written as a reference, which
 * nothing around it can open.
 */
export function markupValue(text: string, isCell: boolean): string {
  const [, before, fence, inner, after] = SPAN.exec(text) ?? [];
  if (before === undefined || fence === undefined || inner === undefined || after === undefined) return text;
  const shown = isCell ? inner.replaceAll("\\|", "|") : inner;
  const padded = shown.startsWith(" ") && shown.endsWith(" ");
  return `${before}<code>${referenced(padded ? shown.slice(1, -1) : shown)}</code>${after}`;
}

/** Parsers look for addresses in what references have become, so those are cut in two where nobody sees it. */
const referenced = (text: string): string =>
  text.replaceAll(/www(?=\.)|[!-/:-@[-`{-~]/gi, (sign) => {
    if (sign.length > 1) return `${sign}<wbr>`;
    return `&#${sign.charCodeAt(0)};${sign === "@" || sign === ":" ? "<wbr>" : ""}`;
  });

/** Exactly the documented fields of a view model, as values for words that somebody else wrote; what it lacks is null. */
export function viewFor(fields: Fields, view: unknown): Readonly<Record<string, unknown>> {
  const members = typeof view === "object" && view !== null ? new Map(Object.entries(view)) : new Map();
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, member(field, members.get(name) ?? null)]),
  );
}

function member(field: Field, found: unknown): unknown {
  switch (field.kind) {
    case "value":
      return typeof found === "string" ? markupValue(found, field.cell) : found;
    case "thing":
      return found === null ? null : viewFor(field.of, found);
    case "list": {
      const items: readonly unknown[] = Array.isArray(found) ? found : [];
      const { of } = field;
      return items.map((item) => (of === "values" ? markupValue(String(item), false) : viewFor(of, item)));
    }
  }
}
