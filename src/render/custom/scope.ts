import { suggest } from "../../kernel/suggest.ts";
import type { Field, Fields } from "./fields.ts";

/** What names mean at one place in a partial: the fields of each list around it, innermost last. */
export type Scope = readonly Around[];

/** `unknown`: within a list that is not there, of which nobody can say what its fields are. */
type Around = Fields | "values" | "unknown";

export type Resolved =
  | { readonly state: "found"; readonly field: Field }
  | { readonly state: "unknown" }
  | { readonly state: "missing"; readonly message: string };

const DATA: readonly string[] = ["index", "first", "last"];

/** What a path such as `../stage` or `@index` stands for. */
export function resolve(path: hbs.AST.PathExpression, scope: Scope): Resolved {
  const { original, depth, parts, data } = path;
  if (data) return isLoopData(path, scope) ? plain : missing(`${original} is not available${LOOP_DATA}`);
  const around = scope[scope.length - 1 - depth];
  if (around === undefined) return missing(`${original} looks further out than there is`);
  if (around === "unknown") return { state: "unknown" };
  if (parts.length === 0) return thisOf(original, around);
  return field(parts, around, original);
}

const plain: Resolved = { state: "found", field: { kind: "value", about: "", cell: false } };
const missing = (message: string): Resolved => ({ state: "missing", message });

const LOOP_DATA = "; within {{#each}} there are @index, @first and @last";

const isLoopData = ({ parts, depth }: hbs.AST.PathExpression, scope: Scope): boolean =>
  scope.length > 1 && depth === 0 && parts.length === 1 && DATA.includes(String(parts[0]));

/** `this` is a value only in a list of values. */
const thisOf = (original: string, around: Fields | "values"): Resolved =>
  around === "values"
    ? plain
    : missing(`${original} is no value by itself; name one of ${Object.keys(around).join(", ")}`);

function field(parts: readonly unknown[], around: Fields | "values", original: string): Resolved {
  let fields = around;
  let found: Field | undefined;
  for (const part of parts) {
    const own = String(part);
    if (fields === "values") return missing(`${original} is not there: these are values; write {{this}}`);
    found = Object.hasOwn(fields, own) ? fields[own] : undefined;
    if (found === undefined) return missing(unknown(own, Object.keys(fields)));
    fields = found.kind === "thing" ? found.of : {};
  }
  return found === undefined ? missing(`${original} names nothing`) : { state: "found", field: found };
}

function unknown(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  if (meant !== null) return `there is no field ${name} here; did you mean ${meant}?`;
  return `there is no field ${name} here${known.length === 0 ? "" : `; there are ${known.join(", ")}`}`;
}
