import {
  type ApiDocument,
  type ApiResponse,
  type BodyContent,
  type Operation,
  type Parameter,
  parseReferenceName,
  type Reference,
} from "./api-document.ts";
import { buildMemberRows, describeLimits, describeType } from "./member-rows.ts";

/** Returns the values of the reference page's template: the operations of each area, then the shapes that they name. */
export function buildReferenceView({ info, paths, components }: ApiDocument) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      area: operation.tags[0] ?? "",
      method: method.toUpperCase(),
      path,
      ...buildOperationView(operation, components),
    })),
  );
  return {
    ...info,
    areas: [...Map.groupBy(operations, ({ area }) => area)].map(([name, own]) => ({ name, operations: own })),
    shapes: Object.entries(components.schemas).map(([name, schema]) => ({
      name,
      members: buildMemberRows(schema),
    })),
  };
}

function buildOperationView(operation: Operation, { responses, parameters }: ApiDocument["components"]) {
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    ...resolveReference<ApiResponse>(answer, responses),
  }));
  const success = answers.find(({ status }) => status.startsWith("2"));
  const errors = answers.filter((one) => one !== success);
  return {
    id: operation.operationId,
    summary: operation.summary,
    description: operation.description ?? "",
    command: `tollgate api ${operation["x-command"]}`,
    source: operation["x-source"],
    extra: operation["x-extra"] === true,
    parameters: operation.parameters.map((one) =>
      buildParameterView(resolveReference<Parameter>(one, parameters)),
    ),
    body: buildBodyView(operation.requestBody?.content),
    answer: { status: success?.status ?? "", body: buildBodyView(success?.content) },
    errors: errors.map(({ status, description }) => ({ status, words: description })),
    errorShape: parseReferenceName(Object.values(errors[0]?.content ?? {})[0]?.schema?.$ref ?? ""),
  };
}

function resolveReference<T extends object>(found: T | Reference, named: Readonly<Record<string, T>>): T {
  if (!("$ref" in found)) return found;
  const name = parseReferenceName(found.$ref as string); // a reference's is a text
  const target = named[name];
  if (target === undefined) throw new Error(`the document refers to ${name}, which is not in it`);
  return target;
}

const buildParameterView = ({ name, in: place, required, description = "", schema }: Parameter) => ({
  name,
  place,
  required,
  type: describeType(schema),
  limits: describeLimits(schema),
  words: description,
});

function buildBodyView(content: BodyContent = {}) {
  const [first] = Object.values(content);
  if (first === undefined) return null;
  return {
    mediaTypes: Object.keys(content).join(", "),
    members: first.schema === undefined ? [] : buildMemberRows(first.schema),
  };
}
