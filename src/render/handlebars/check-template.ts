import Handlebars from "handlebars";
import { suggestChoice } from "../../kernel/suggest.ts";
import { HELPERS } from "./templates.ts";

/** A mistake in a template, with its position. Lines and columns start at 1. */
interface TemplateProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The names that templates may use. */
interface TemplateNames {
  /** Fields of the view models. */
  readonly fields: readonly string[];
  /** Names of templates that can be included. */
  readonly templates: readonly string[];
}

const BLOCKS: readonly string[] = ["if", "unless", "each"];
const HELPER_NAMES: readonly string[] = [...BLOCKS, ...Object.keys(HELPERS)];

/** Collects the fields, helpers and partials that a template names. */
class NameCollector extends Handlebars.Visitor {
  readonly paths: hbs.AST.PathExpression[] = [];
  readonly helpers = new Set<hbs.AST.Node>();
  readonly partials = new Set<hbs.AST.Node>();
  readonly others: hbs.AST.Node[] = [];

  override PathExpression(path: hbs.AST.PathExpression): void {
    this.paths.push(path);
  }
  override MustacheStatement(node: hbs.AST.MustacheStatement): void {
    if (node.params.length > 0) this.helpers.add(node.path);
    super.MustacheStatement(node);
  }
  override SubExpression(node: hbs.AST.SubExpression): void {
    this.helpers.add(node.path);
    super.SubExpression(node);
  }
  override BlockStatement(node: hbs.AST.BlockStatement): void {
    this.helpers.add(node.path);
    super.BlockStatement(node);
  }
  override PartialStatement(node: hbs.AST.PartialStatement): void {
    this.partials.add(node.name);
    super.PartialStatement(node);
  }
  override PartialBlockStatement(node: hbs.AST.PartialBlockStatement): void {
    this.others.push(node);
  }
  override Decorator(node: hbs.AST.Decorator): void {
    this.others.push(node);
  }
  override DecoratorBlock(node: hbs.AST.DecoratorBlock): void {
    this.others.push(node);
  }
}

function collectNames(text: string): NameCollector {
  const collector = new NameCollector();
  collector.accept(Handlebars.parse(text));
  return collector;
}

/** Returns the fields that any of these templates names. */
export function listFields(templates: Readonly<Record<string, string>>): readonly string[] {
  const fields = Object.values(templates).flatMap((text) => {
    const { paths, helpers, partials } = collectNames(text);
    return paths.filter((path) => !helpers.has(path) && !partials.has(path)).flatMap(listPathParts);
  });
  return [...new Set(fields)];
}

const listPathParts = ({ parts }: hbs.AST.PathExpression): readonly string[] => parts.map(String);

/** Returns every mistake in a template that can be found without filling it. */
export function checkTemplate(text: string, names: TemplateNames): readonly TemplateProblem[] {
  let collector: NameCollector;
  try {
    collector = collectNames(text);
  } catch (error) {
    return [buildSyntaxProblem(error)];
  }
  const { paths, helpers, partials, others } = collector;
  return [
    ...paths.flatMap((path) => {
      if (helpers.has(path)) return findUnknownNames("helper", path, [path.original], HELPER_NAMES);
      if (partials.has(path)) return findUnknownNames("template", path, [path.original], names.templates);
      return findUnknownNames("field", path, listPathParts(path), names.fields);
    }),
    ...others.map((node) => ({
      ...findPlace(node),
      message: "blocks of partials and decorators are not supported; use {{> name}}",
    })),
  ];
}

function findUnknownNames(
  kind: "helper" | "template" | "field",
  node: hbs.AST.Node,
  found: readonly string[],
  known: readonly string[],
): readonly TemplateProblem[] {
  const unknown = found.find((name) => !known.includes(name));
  if (unknown === undefined) return [];
  const meant = suggestChoice(unknown, known);
  const expected = meant === null ? `expected ${describeExpectation(kind)}` : `did you mean ${meant}?`;
  return [{ ...findPlace(node), message: `unknown ${kind} ${JSON.stringify(unknown)}; ${expected}` }];
}

const describeExpectation = (kind: "helper" | "template" | "field"): string =>
  kind === "helper" ? `one of ${HELPER_NAMES.join(", ")}` : `a ${kind} that a shipped template uses`;

const findPlace = ({ loc }: hbs.AST.Node): Pick<TemplateProblem, "line" | "column"> => ({
  line: loc.start.line,
  column: loc.start.column + 1,
});

/** Handlebars states the position of a syntax error in its message, or in members of the error. */
function buildSyntaxProblem(error: unknown): TemplateProblem {
  const { lineNumber, column = 0 } = error as { readonly lineNumber?: number; readonly column?: number }; // both may be missing
  const message = error instanceof Error ? error.message : String(error);
  const stated = /^Parse error on line (\d+)/.exec(message)?.[1];
  return {
    line: lineNumber ?? Number(stated ?? 1),
    column: column + 1,
    message: `not valid Handlebars: ${message.split("\n").at(-1)}`,
  };
}
