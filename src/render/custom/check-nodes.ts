import { suggest } from "../../kernel/suggest.ts";
import type { PartialProblem } from "./problem.ts";
import { resolve, type Scope } from "./scope.ts";

type Problems = readonly PartialProblem[];
type Call = hbs.AST.MustacheStatement | hbs.AST.SubExpression;

/** Where a node stands. */
interface At {
  readonly scope: Scope;
  /** Blocks and helpers around it. */
  readonly depth: number;
}

/** Loops within loops, and blocks or helpers within others. */
const LOOPS = 3;
const DEPTH = 10;

const BLOCKS: readonly string[] = ["if", "unless", "each"];
/** Helpers, with how many values each takes. */
const HELPERS: Readonly<
  Record<string, { readonly fewest: number; readonly most: number; readonly words: string }>
> = {
  eq: { fewest: 2, most: 2, words: "two values" },
  any: { fewest: 1, most: 20, words: "1 to 20 values" },
  number: { fewest: 1, most: 1, words: "one value" },
  plural: { fewest: 3, most: 3, words: "a number and two words" },
};

/** What is wrong with a part of a partial, whatever it is filled with. */
export const checkBody = (program: hbs.AST.Program | undefined, at: At): Problems =>
  (program?.body ?? []).flatMap((node) => statement(node, at));

const problem = ({ loc }: hbs.AST.Node, message: string): Problems => [
  { line: loc.start.line, column: loc.start.column + 1, message },
];

function statement(node: hbs.AST.Statement, at: At): Problems {
  switch (node.type) {
    case "ContentStatement":
    case "CommentStatement":
      return [];
    case "MustacheStatement":
      return call(node as hbs.AST.MustacheStatement, at); // the type is the proof
    case "BlockStatement":
      return block(node as hbs.AST.BlockStatement, at); // the type is the proof
    case "PartialStatement":
    case "PartialBlockStatement":
      return problem(node, "other templates cannot be included; write the words here");
    default:
      return problem(node, "decorators cannot be used; write the words here");
  }
}

function block(node: hbs.AST.BlockStatement, at: At): Problems {
  const name = pathOf(node.path)?.original ?? "";
  if (!BLOCKS.includes(name)) return problem(node, unknown("block", name, BLOCKS));
  const [about, ...more] = node.params;
  if (about === undefined || more.length > 0 || hasHash(node))
    return problem(node, `{{#${name}}} takes exactly one value`);
  if ([node.program, node.inverse].some((own) => (own?.blockParams?.length ?? 0) > 0))
    return problem(node, "names after as cannot be used; within {{#each}} fields are named directly");
  if (at.depth === DEPTH) return problem(node, `blocks are nested deeper than ${DEPTH}; use fewer`);
  const inside = { ...at, depth: at.depth + 1 };
  if (name === "each") return loop(node, about, inside);
  return [
    ...argument(about, at, "any"),
    ...checkBody(node.program, inside),
    ...checkBody(node.inverse, inside),
  ];
}

/** Only over a list that is right there, so that a text never gets longer than what it tells of. */
function loop(node: hbs.AST.BlockStatement, about: hbs.AST.Expression, at: At): Problems {
  const path = pathOf(about);
  if (path === null || path.depth > 0 || path.data)
    return problem(about, "{{#each}} takes the name of a list that is right here");
  if (at.scope.length > LOOPS) return problem(node, `{{#each}} is nested deeper than ${LOOPS}; use fewer`);
  const { wrong, of } = items(path, at.scope);
  const inside = { ...at, scope: [...at.scope, of] };
  return [
    ...(wrong === null ? [] : problem(about, wrong)),
    ...checkBody(node.program, inside),
    ...checkBody(node.inverse, at),
  ];
}

/** What is in a list; where there is no such list, what is wrong, and the rest of the loop is looked at all the same. */
function items(
  path: hbs.AST.PathExpression,
  scope: Scope,
): { readonly wrong: string | null; readonly of: Scope[number] } {
  const resolved = resolve(path, scope);
  if (resolved.state === "unknown") return { wrong: null, of: "unknown" };
  if (resolved.state === "missing") return { wrong: resolved.message, of: "unknown" };
  if (resolved.field.kind === "list") return { wrong: null, of: resolved.field.of };
  return { wrong: `${path.original} is no list; write {{#if ${path.original}}}`, of: "unknown" };
}

/** A field, or a helper with what it takes. */
function call(node: Call, at: At): Problems {
  const path = pathOf(node.path);
  if (path === null) return problem(node, "a fixed value needs no braces; write it as it is");
  if (hasHash(node)) return problem(node, "names with = cannot be used; write the value alone");
  if (node.params.length === 0 && node.type === "MustacheStatement") return argument(path, at, "value");
  return helperCall(node, path.original, at);
}

function helperCall({ params, ...node }: Call, name: string, at: At): Problems {
  const takes = Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
  if (takes === undefined) return problem(node, unknown("helper", name, Object.keys(HELPERS)));
  const { fewest, most, words } = takes;
  if (params.length < fewest || params.length > most) return problem(node, `${name} takes ${words}`);
  return params.flatMap((param) => argument(param, at, name === "any" ? "any" : "value"));
}

/** `wanted`: a single value, or anything that is there or not. */
function argument(node: hbs.AST.Expression, at: At, wanted: "value" | "any"): Problems {
  if (node.type === "SubExpression") {
    if (at.depth === DEPTH) return problem(node, `helpers are nested deeper than ${DEPTH}; use fewer`);
    return call(node as hbs.AST.SubExpression, { ...at, depth: at.depth + 1 }); // the type is the proof
  }
  const path = pathOf(node);
  if (path === null) return []; // a text, a number, true or false
  const resolved = resolve(path, at.scope);
  if (resolved.state === "missing") return problem(node, resolved.message);
  if (resolved.state === "unknown") return [];
  const { kind } = resolved.field;
  if (wanted === "any" || kind === "value") return [];
  const instead = kind === "list" ? `write {{#each ${path.original}}}` : "name one of its fields";
  return problem(node, `${path.original} is no single value; ${instead}`);
}

const pathOf = (node: hbs.AST.Expression): hbs.AST.PathExpression | null =>
  node.type === "PathExpression" ? (node as hbs.AST.PathExpression) : null; // the type is the proof

const hasHash = ({ hash }: { readonly hash?: hbs.AST.Hash | undefined }): boolean =>
  hash !== undefined && hash.pairs.length > 0;

function unknown(what: string, name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  return `there is no ${what} ${name}; ${meant === null ? `there are ${known.join(", ")}` : `did you mean ${meant}?`}`;
}
