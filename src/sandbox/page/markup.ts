/** HTML that is safe to insert into a page. */
export interface Markup {
  readonly html: string;
}

type MarkupValue = Markup | string | number | null | false | readonly Markup[];

/** Builds HTML; escapes all values except markup. Null and false become empty. */
export const html = (strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup => ({
  html: strings.reduce((text, part, index) => text + escapeValue(values[index - 1] ?? null) + part),
});

/** Marks trusted HTML: a rendered comment, an icon of the sandbox. */
export const raw = (text: string): Markup => ({ html: text });

function escapeValue(value: MarkupValue): string {
  if (value === null || value === false) return "";
  if (typeof value === "string" || typeof value === "number") return escaped(String(value));
  return "html" in value ? value.html : value.map((one) => one.html).join("");
}

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
