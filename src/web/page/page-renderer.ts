import Handlebars from "handlebars";
import { formatCount } from "../../render/format/count.ts";
import { showHidden } from "../../render/markup/escape.ts";
import type { PageAssets } from "./assets.ts";
import type { IconName } from "./icon-names.ts";
import { Markdown, renderMarkdown } from "./markdown.ts";
import type { PageFiles } from "./page-files.ts";

/** HTML that is safe to insert: an icon, a chart, or what a sanitizer returned. */
export type Html = Handlebars.SafeString;

/** Marks HTML as safe. Only for what this folder made, or a sanitizer. */
export const markSafe = (html: string): Html => new Handlebars.SafeString(html);

export interface PageLink {
  readonly text: string;
  readonly href: string;
}

/** A tab below the header; `current`: the tab of this page. */
export interface PageTab extends PageLink {
  readonly icon: IconName;
  readonly current: boolean;
}

/** A page without the frame that is the same everywhere. */
export interface Page {
  readonly title: string;
  /** Where the page is, from the outside to the inside; the last one is the page itself. */
  readonly trail: readonly PageLink[];
  readonly tabs?: readonly PageTab[];
  /** Template of the content, under `templates/pages/`. */
  readonly template: string;
  /** Values of the template. Texts are escaped when they are inserted, and hidden characters are shown. */
  readonly view: object;
  /** Who reads it; null: nobody is signed in. `formToken`: what `{{> form-token}}` writes into each form. */
  readonly reader: {
    readonly login: string;
    readonly isAdmin: boolean;
    readonly formToken?: string;
  } | null;
}

/** Renders a page as an HTML document. */
export type RenderPage = (page: Page) => string;

/**
 * Compiles the templates of pages. Every value is escaped; a field that is missing in a view is an error, not a blank.
 */
export function createPageRenderer(
  { templates, icons }: Pick<PageFiles, "templates" | "icons">,
  assets: PageAssets,
): RenderPage {
  const handlebars = Handlebars.create();
  handlebars.registerHelper(createHelpers(icons));
  const options = { strict: true, knownHelpersOnly: false };
  const compiled = new Map<string, HandlebarsTemplateDelegate>();
  for (const [name, text] of Object.entries(templates)) {
    const template = handlebars.compile(text.trim(), options);
    compiled.set(name, template);
    handlebars.registerPartial(name, template);
  }
  const paths = { stylePath: assets.style.path, faviconPath: assets.favicon.path };
  const fill = (name: string, view: object): string => {
    const template = compiled.get(name);
    if (template === undefined) throw new Error(`there is no template pages/${name}.hbs`);
    return template(showAllHidden(view));
  };
  return ({ title, trail, tabs = [], template, view, reader }) => {
    const formToken = reader?.formToken ?? "";
    const body = markSafe(fill(template, { formToken, ...view }));
    const outer = trail.slice(0, -1);
    return `${fill("layout", { title, outer, here: trail.at(-1) ?? null, tabs, body, reader, formToken, ...paths })}\n`;
  };
}

const createHelpers = (icons: PageFiles["icons"]) => ({
  icon: (name: string, label: unknown) => renderIcon(icons, name, typeof label === "string" ? label : null),
  eq: (a: unknown, b: unknown): boolean => a === b,
  any: (...values: unknown[]): boolean => values.slice(0, -1).some(Boolean), // the last argument is Handlebars' options object
  number: (count: number): string => formatCount(count),
  plural: (count: number, one: string, many: string): string => (count === 1 ? one : many),
  markdown: (text: Markdown): Html =>
    markSafe(
      renderMarkdown(
        text,
        (name, tone) => `<span class="mark ${tone}">${renderIcon(icons, name, null)}</span>`,
      ),
    ),
});

function renderIcon(icons: PageFiles["icons"], name: string, label: string | null): Html {
  const shape = icons[name];
  if (shape === undefined) throw new Error(`there is no icon ${JSON.stringify(name)}`);
  const words =
    label === null ? 'aria-hidden="true"' : `role="img" aria-label="${Handlebars.escapeExpression(label)}"`;
  return markSafe(
    `<svg class="icon ${name}" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" ${words}>${shape}</svg>`,
  );
}

/** Shows the hidden characters of every text in a view. */
function showAllHidden(value: unknown): unknown {
  if (typeof value === "string") return showHidden(value);
  if (value instanceof Handlebars.SafeString || value instanceof Markdown) return value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(showAllHidden);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, showAllHidden(member)]));
}
