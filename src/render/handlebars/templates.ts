import Handlebars from "handlebars";
import { TollgateError } from "../../kernel/errors.ts";
import { formatCount } from "../format/count.ts";

/** Fills a template by name. Multiple blank lines are collapsed; the text begins and ends without one. */
export type FillTemplate = (template: string, view: object) => string;

export const HELPERS = {
  concat: (a: string, b: string): string => `${a}${b}`,
  eq: (a: unknown, b: unknown): boolean => a === b,
  any: (...values: unknown[]): boolean => values.slice(0, -1).some(Boolean), // the last argument is Handlebars' options object
  number: (count: number): string => formatCount(count),
  plural: (count: number, one: string, many: string): string => (count === 1 ? one : many),
};

/** Creates a Handlebars instance with Tollgate's helpers and without unused built-in ones. */
export function createHandlebars(): typeof Handlebars {
  const handlebars = Handlebars.create();
  for (const unused of ["log", "lookup", "with", "blockHelperMissing"]) handlebars.unregisterHelper(unused);
  handlebars.registerHelper(HELPERS);
  return handlebars;
}

/**
 * Compiles templates (name → text; every template may include every other as a partial). Values are inserted
 * unescaped: view models contain only safe text (`Inline`). A field that is missing in a view model is an
 * error, not a blank.
 */
export function compileTemplates(templates: Readonly<Record<string, string>>): FillTemplate {
  const handlebars = createHandlebars();
  const knownHelpers = Object.fromEntries(Object.keys(HELPERS).map((helper) => [helper, true]));
  const options = { knownHelpers, knownHelpersOnly: true, strict: true, noEscape: true };
  const compiled = new Map<string, HandlebarsTemplateDelegate>();
  for (const [name, text] of Object.entries(templates)) {
    const template = locateFailures(name, handlebars.compile(text.trim(), options));
    compiled.set(name, template);
    handlebars.registerPartial(name, template);
  }
  return (name, view) => {
    const template = compiled.get(name);
    if (template === undefined)
      throw new TollgateError("internal", `there is no template ${JSON.stringify(name)}`);
    return normalizeBlanks(template(view));
  };
}

/** A template that cannot be filled; the message states the template and the line. */
export class TemplateFailure extends Error {
  override readonly name = "TemplateFailure";
}

/** Wraps a template so that its errors state its name and line. */
function locateFailures(name: string, template: HandlebarsTemplateDelegate): HandlebarsTemplateDelegate {
  return (view, options) => {
    try {
      return template(view, options);
    } catch (error) {
      if (error instanceof TemplateFailure || !(error instanceof Error)) throw error;
      const line = "lineNumber" in error && typeof error.lineNumber === "number" ? error.lineNumber : 1;
      throw new TemplateFailure(`${name}.hbs:${line} ${error.message}`, { cause: error });
    }
  };
}

/** Removes blanks at the ends of lines, and leaves at most one blank line between two others. */
export const normalizeBlanks = (text: string): string =>
  text
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
