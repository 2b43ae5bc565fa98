import Handlebars from "handlebars";
import { checkBody } from "./check-nodes.ts";
import type { Fields } from "./fields.ts";
import { unwantedIn } from "./markup.ts";
import { type PartialProblem, placeIn, START } from "./problem.ts";

/** Problems of one file that are told. */
const PROBLEMS = 20;
/** Tags in one file: compiling takes longer the more there are. */
const MOST_TAGS = 500;

const TAGS = /\{\{!--[\s\S]*?--\}\}|\{\{[\s\S]*?\}\}/g;

/** Everything that is wrong with a partial, by its place; empty: it may be filled. Nothing is run. */
export function guard(text: string, fields: Fields): readonly PartialProblem[] {
  const tags = text.match(TAGS)?.length ?? 0;
  if (tags > MOST_TAGS)
    return [{ ...START, message: `has ${tags} tags, and ${MOST_TAGS} are allowed; make it shorter` }];
  const program = parse(text);
  if ("message" in program) return [program];
  const unwanted = unwantedIn(text.replaceAll(TAGS, (tag) => tag.replaceAll(/[^\n]/g, "·")));
  const words = unwanted === null ? [] : [{ ...placeIn(text, unwanted.offset), message: unwanted.message }];
  const found = [...words, ...checkBody(program, { scope: [fields], depth: 0 })];
  return found.sort((a, b) => a.line - b.line || a.column - b.column).slice(0, PROBLEMS);
}

function parse(text: string): hbs.AST.Program | PartialProblem {
  try {
    return Handlebars.parse(text);
  } catch (error) {
    return syntaxProblem(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Handlebars tells the place in fields of its error, or the line alone in its words. */
function syntaxProblem(error: Error & { lineNumber?: number; column?: number }): PartialProblem {
  const line = error.lineNumber ?? Number(/on line (\d+)/.exec(error.message)?.[1] ?? 1);
  const column = (error.column ?? 0) + 1;
  return { line, column, message: `is no Handlebars template: ${syntaxWords(error.message)}` };
}

function syntaxWords(message: string): string {
  const found = /got '(\w+)'/.exec(message)?.[1];
  if (found === "EOF") return "a tag or a block is opened and not closed";
  const [first = ""] = message.split("\n");
  return found === undefined ? first.replace(/ - \d+:\d+$/, "") : "a tag cannot be read";
}
