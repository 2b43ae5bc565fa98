import { html as escapeHtml, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { showHidden } from "../../render/markup/escape.ts";
import shapes from "./icons.json" with { type: "json" };

/** HTML that is safe to insert. */
export type Html = HtmlEscapedString;

/** What a page may contain. Texts are escaped, and their hidden characters shown; null, undefined and false are nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Makes HTML: `html\`<p>${name}</p>\`` escapes the name. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  escapeHtml(parts, ...contents.map(showHiddenTexts)) as Html; // a promise only where a content is one

function showHiddenTexts(content: Content): Content {
  if (typeof content === "string") return showHidden(content); // HTML is an object at run time
  return Array.isArray(content) ? content.map(showHiddenTexts) : content;
}

/** The icons that pages use, by their names in Octicons. A new one is a name in `icons.json`, then `npm run generate:pages`. */
export type IconName = keyof typeof shapes;

/** An icon; without a label it is hidden from screen readers. Its shape is raw: it comes from Octicons. */
export const icon = (name: IconName, label?: string): Html =>
  html`<svg class="icon ${name}" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" ${label === undefined ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`}>${raw(shapes[name])}</svg>`;

/** Chooses the form of a word for a count. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
