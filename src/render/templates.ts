import Handlebars from "handlebars";
import { TollgateError } from "../kernel/errors.ts";
import { formatCount } from "./format.ts";

/** Texts of templates by name, which is the path in `templates/` without `.hbs`. */
export type TemplateTexts = Readonly<Record<string, string>>;

/** The operator's templates, in place of shipped ones of the same name. */
export interface OperatorTemplates {
  readonly texts: TemplateTexts;
  /** Is told each time that one of them throws. The shipped template is filled in its place. */
  readonly onFailure: (name: string, error: Error) => void;
}

/** Fills a template by name. Multiple blank lines are collapsed; the text begins and ends without one. */
export type FillTemplate = (template: string, view: object) => string;

const HELPERS = {
  concat: (a: string, b: string): string => `${a}${b}`,
  eq: (a: unknown, b: unknown): boolean => a === b,
  any: (...values: unknown[]): boolean => values.slice(0, -1).some(Boolean), // the last argument is Handlebars' options object
  number: (count: number): string => formatCount(count),
  plural: (count: number, one: string, many: string): string => (count === 1 ? one : many),
};

const OPTIONS = {
  knownHelpers: Object.fromEntries(Object.keys(HELPERS).map((helper) => [helper, true])),
  knownHelpersOnly: true,
  strict: true,
  noEscape: true,
};

/** Creates a Handlebars instance with Tollgate's helpers and without unused built-in ones. */
function createHandlebars(): typeof Handlebars {
  const handlebars = Handlebars.create();
  for (const unused of ["log", "lookup", "with", "blockHelperMissing"]) handlebars.unregisterHelper(unused);
  handlebars.registerHelper(HELPERS);
  return handlebars;
}

/**
 * Compiles templates, each of which may include every other as a partial. Values are inserted unescaped: view models contain only safe
 * text (`Inline`). A field that is missing in a view model is an error, not a blank.
 */
export function compileTemplates(shipped: TemplateTexts, operator?: OperatorTemplates): FillTemplate {
  const handlebars = createHandlebars();
  const compile = (name: string, text: string): HandlebarsTemplateDelegate =>
    locateFailures(name, handlebars.compile(text.trim(), OPTIONS));
  const compiled = new Map<string, HandlebarsTemplateDelegate>();
  for (const [name, text] of Object.entries(shipped)) {
    const own = operator?.texts[name];
    const template =
      operator === undefined || own === undefined
        ? compile(name, text)
        : fallBack(compile(name, own), compile(name, text), (error) => operator.onFailure(name, error));
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

/** Returns why a template does not compile, with its line; null: it does. Unknown fields and partials are found when it is filled. */
export function findCompileProblem(text: string): string | null {
  try {
    createHandlebars().precompile(text.trimEnd(), OPTIONS);
    return null;
  } catch (error) {
    // The lines between the first and the last one are a drawing of the place.
    const lines = (error instanceof Error ? error.message : String(error))
      .replace("You specified knownHelpersOnly, but used the ", "")
      .split("\n");
    return [...new Set([lines.at(0), lines.at(-1)])].join(" ");
  }
}

/** A template that cannot be filled; the message states the template and the line. */
class TemplateFailure extends Error {
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

/** A mistake in a template must not keep a pull request without its check. */
function fallBack(
  own: HandlebarsTemplateDelegate,
  shipped: HandlebarsTemplateDelegate,
  onFailure: (error: Error) => void,
): HandlebarsTemplateDelegate {
  let isFilling = false;
  return (view, options) => {
    if (isFilling) throw new Error("includes itself");
    isFilling = true;
    try {
      return own(view, options);
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      onFailure(error);
      return shipped(view, options);
    } finally {
      isFilling = false;
    }
  };
}

/** Removes blanks at the ends of lines, and leaves at most one blank line between two others. */
const normalizeBlanks = (text: string): string =>
  text
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
