import {
  type ApiDocument,
  type ApiResponse,
  type BodyContent,
  nameIn,
  type Operation,
  type Parameter,
  type Reference,
} from "./api-document.ts";
import { limitsOf, type MemberRow, memberRows, typeOf } from "./member-rows.ts";

/** The values of the reference page's template. */
export interface ReferenceView {
  readonly title: string;
  readonly description: string;
  readonly areas: readonly { readonly name: string; readonly operations: readonly OperationView[] }[];
  readonly shapes: readonly { readonly name: string; readonly members: readonly MemberRow[] }[];
}

interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly command: string;
  readonly source: string;
  readonly extra: boolean;
  readonly parameters: readonly ParameterView[];
  readonly body: BodyView | null;
  readonly answer: { readonly status: string; readonly body: BodyView | null };
  readonly errors: readonly { readonly status: string; readonly words: string }[];
  /** The shape of every error answer. */
  readonly errorShape: string;
}

interface ParameterView {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly type: string;
  readonly limits: string;
  readonly words: string;
}

interface BodyView {
  readonly mediaTypes: string;
  readonly members: readonly MemberRow[];
}

export function referenceView(document: ApiDocument): ReferenceView {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      area: operation.tags[0] ?? "",
      view: operationView({ path, method, operation }, document),
    })),
  );
  const areas = [...new Set(operations.map(({ area }) => area))];
  return {
    ...document.info,
    areas: areas.map((name) => ({
      name,
      operations: operations.filter(({ area }) => area === name).map(({ view }) => view),
    })),
    shapes: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      members: memberRows(schema),
    })),
  };
}

interface OperationAddress {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function operationView({ path, method, operation }: OperationAddress, document: ApiDocument): OperationView {
  const { responses, parameters } = document.components;
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    answer: resolved<ApiResponse>(answer, responses),
  }));
  const success = answers.find(({ status }) => status.startsWith("2"));
  const errors = answers.filter((one) => one !== success);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? "",
    command: `tollgate api ${operation["x-command"]}`,
    source: operation["x-source"],
    extra: operation["x-extra"] === true,
    parameters: operation.parameters.map((one) => parameterView(resolved<Parameter>(one, parameters))),
    body: operation.requestBody === undefined ? null : bodyView(operation.requestBody.content),
    answer: { status: success?.status ?? "", body: bodyView(success?.answer.content ?? {}) },
    errors: errors.map(({ status, answer }) => ({ status, words: answer.description })),
    errorShape: nameIn(Object.values(errors[0]?.answer.content ?? {})[0]?.schema?.$ref ?? ""),
  };
}

function resolved<T extends object>(found: T | Reference, named: Readonly<Record<string, T>>): T {
  if (!("$ref" in found)) return found;
  const name = nameIn(found.$ref as string); // a reference's is a text
  return named[name] ?? missing(name);
}

function missing(name: string): never {
  throw new Error(`the document refers to ${name}, which is not in it`);
}

const parameterView = ({
  name,
  in: place,
  required,
  description = "",
  schema,
}: Parameter): ParameterView => ({
  name,
  place,
  required,
  type: typeOf(schema),
  limits: limitsOf(schema),
  words: description,
});

function bodyView(content: BodyContent): BodyView | null {
  const [first] = Object.values(content);
  if (first === undefined) return null;
  return {
    mediaTypes: Object.keys(content).join(", "),
    members: first.schema === undefined ? [] : memberRows(first.schema),
  };
}
