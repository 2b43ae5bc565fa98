import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";
import { raw } from "hono/html";
import { getShippedFile } from "../../package/shipped-files.ts";
import { formatCount } from "../../render/format/count.ts";
import { showHidden } from "../../render/markup/escape.ts";
import type { Reader } from "../reader.ts";
import { type Page, renderPage } from "./frame.ts";
import { type IconName, icon } from "./html.ts";
import { Markdown, renderMarkdown } from "./markdown.ts";

/** HTML that is safe to insert: an icon, a chart, or what a sanitizer returned. */
export type Html = Handlebars.SafeString;

/** Marks HTML as safe. Only for what this folder made, or a sanitizer. */
export const markSafe = (html: string): Html => new Handlebars.SafeString(html);

/** A page whose content is a template under `templates/pages/`. */
interface TemplatePage extends Omit<Page, "body"> {
  readonly template: string;
  /** Values of the template. Texts are escaped when they are inserted, and hidden characters are shown. */
  readonly view: object;
  readonly reader: Reader | null;
}

/** Renders a page as an HTML document. */
export type RenderPage = (page: TemplatePage) => string;

/** Compiles the templates of pages. Every value is escaped; a field that is missing in a view is an error, not a blank. */
export function createPageRenderer(): RenderPage {
  const handlebars = Handlebars.create();
  handlebars.registerHelper(HELPERS);
  const options = { strict: true, knownHelpersOnly: false };
  const compiled = new Map<string, HandlebarsTemplateDelegate>();
  const folder = getShippedFile("templates/pages");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".hbs")) continue;
    const name = file.slice(0, -".hbs".length);
    const template = handlebars.compile(readFileSync(join(folder, file), "utf8").trim(), options);
    compiled.set(name, template);
    handlebars.registerPartial(name, template);
  }
  return ({ template: name, view, reader, ...page }) => {
    const template = compiled.get(name);
    if (template === undefined) throw new Error(`there is no template pages/${name}.hbs`);
    const formToken = reader?.formToken ?? "";
    return renderPage({ ...page, body: raw(template(showAllHidden({ formToken, ...view }))) }, reader);
  };
}

const HELPERS = {
  icon: (name: IconName, label: unknown) =>
    markSafe(String(icon(name, typeof label === "string" ? label : undefined))),
  eq: (a: unknown, b: unknown): boolean => a === b,
  any: (...values: unknown[]): boolean => values.slice(0, -1).some(Boolean), // the last argument is Handlebars' options object
  number: (count: number): string => formatCount(count),
  plural: (count: number, one: string, many: string): string => (count === 1 ? one : many),
  markdown: (text: Markdown): Html => markSafe(String(renderMarkdown(text))),
};

/** Shows the hidden characters of every text in a view. */
function showAllHidden(value: unknown): unknown {
  if (typeof value === "string") return showHidden(value);
  if (value instanceof Handlebars.SafeString || value instanceof Markdown) return value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(showAllHidden);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, showAllHidden(member)]));
}
