import { openApiDocument } from "../../src/platform/openapi/document.ts";
import { type Documented, parametersIn } from "./documented-operation.ts";

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const json = (value: unknown): Json => (isJson(value) ? value : {});

const DOCUMENT = openApiDocument("neutral");

/** What a `$ref` leads to, else the value. */
function resolved(value: unknown): Json {
  const { $ref: ref } = json(value);
  if (typeof ref !== "string") return json(value);
  return resolved(
    ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, name) => json(at)[name], DOCUMENT),
  );
}

/** In which what is published of an operation differs from what its document says, one text each. */
export function differencesOf(documented: Documented): readonly string[] {
  const operation = publishedOf(documented);
  if (operation === null) return ["operation: is not published"];
  return [
    ...parameterDifferences(documented, operation),
    ...bodyDifferences(documented, operation),
    ...answerDifferences(documented, operation),
  ];
}

export function publishedOf({ at }: Documented): Json | null {
  const [method = "", path = ""] = at.split(" ");
  const found = json(json(DOCUMENT["paths"])[path])[method.toLowerCase()];
  return isJson(found) ? found : null;
}

function parameterDifferences({ query, header }: Documented, operation: Json): readonly string[] {
  const all = (operation["parameters"] as readonly unknown[]).map(resolved);
  const published = new Map(all.filter((one) => one["in"] === "query").map((one) => [`${one["name"]}`, one]));
  const headers = all
    .filter((one) => one["in"] === "header")
    .map(({ name, required }) => ({ name: `${name}`, required: required === true }));
  const documented = parametersIn(query);
  const names = documented.map(({ name }) => name);
  return [
    ...documented.flatMap((one) => {
      const found = published.get(one.name);
      if (found === undefined) return [`query: lacks ${one.name}`];
      const schema = resolved(found["schema"]);
      const values = (schema["enum"] ?? json(schema["items"])["enum"]) as readonly string[] | undefined;
      const differs = (what: string, published: unknown, said: unknown) =>
        JSON.stringify(published) === JSON.stringify(said) ? [] : [`query: ${one.name} ${what} ${published}`];
      return [
        ...differs("required:", found["required"], one.required),
        ...differs("repeatable:", schema["type"] === "array", one.repeatable),
        ...(one.otherwise === null
          ? []
          : differs("default:", `${schema["default"] ?? "none"}`, one.otherwise)),
        ...(one.values === null
          ? []
          : differs("values:", [...(values ?? [])].sort(), [...one.values].sort())),
      ];
    }),
    ...[...published]
      .filter(([name]) => !names.includes(name))
      .map(([name, one]) => `query: also ${one["required"] ? "needs" : "takes"} ${name}`),
    ...headers
      .filter(({ name }) => name !== header)
      .map(({ name, required }) => `header: ${required ? "needs" : "takes"} ${name}`),
    ...(header === undefined || headers.some(({ name, required }) => name === header && required)
      ? []
      : [`header: lacks ${header}`]),
  ];
}

function bodyDifferences({ body }: Documented, operation: Json): readonly string[] {
  const content = json(resolved(operation["requestBody"])["content"]);
  const types = Object.keys(content);
  if (body === undefined) return types.length === 0 ? [] : ["body: is not documented"];
  if (body === "bytes") return types.join() === "application/octet-stream" ? [] : [`body: is ${types}`];
  const schema = json(content["application/json"])["schema"];
  const required = (resolved(schema)["required"] ?? []) as readonly string[];
  return [
    ...membersOf("body", schema, body.example),
    ...required.filter((name) => !body.required.includes(name)).map((name) => `body: needs ${name}`),
    ...body.required.filter((name) => !required.includes(name)).map((name) => `body: does not need ${name}`),
    ...Object.entries(body.values ?? {}).flatMap(([path, values]) => {
      const found = new Set(enumsIn(path.split(".").reduce<unknown>(memberAt, schema)));
      return [...values].sort().join() === [...found].sort().join()
        ? []
        : [`body: values of ${path}: ${[...found]}`];
    }),
  ];
}

function answerDifferences(
  { answer, status, paged, errors = [] }: Documented,
  operation: Json,
): readonly string[] {
  const responses = json(operation["responses"]);
  const codes = Object.keys(responses).map(Number);
  const [success = 0] = codes.filter((code) => code < 300);
  const content = json(resolved(responses[success])["content"]);
  const schema = json(content["application/json"])["schema"];
  const headers = Object.keys(json(resolved(responses[success])["headers"]));
  const published = codes.filter((code) => code >= 400);
  return [
    ...(status !== undefined && success !== status ? [`status: ${success}`] : []),
    ...(paged
      ? PAGE_HEADERS.filter((name) => !headers.includes(name)).map((name) => `headers: lacks ${name}`)
      : []),
    ...(answer === null && schema !== undefined ? ["answer: has a body"] : []),
    ...(answer === null || answer === undefined ? [] : membersOf("answer", schema, answer)),
    ...errors.filter((code) => !published.includes(code)).map((code) => `errors: lacks ${code}`),
    ...published.filter((code) => !errors.includes(code)).map((code) => `errors: also ${code}`),
  ];
}

/** Document 1, 8. */
const PAGE_HEADERS = ["x-total-elements", "x-page-number", "x-page-size"];

/** Members that the example has and the schema has not, and the other way round. */
function membersOf(where: string, schema: unknown, example: unknown): readonly string[] {
  if (Array.isArray(example))
    return example.flatMap((one) => membersOf(`${where}[]`, memberAt(schema, "0"), one));
  if (!isJson(example)) return [];
  const known = propertiesOf(schema);
  if ("*" in example) {
    const value = memberAt(schema, "*");
    return value === undefined || known.size > 0
      ? [`${where}: is no map`]
      : membersOf(`${where}.*`, value, example["*"]);
  }
  const lacking = Object.keys(example).filter((name) => !known.has(name));
  const more = [...known].filter((name) => !(name in example));
  return [
    ...lacking.map((name) => `${where}: lacks ${name}`),
    ...more.map((name) => `${where}: also ${name}`),
    ...Object.entries(example).flatMap(([name, one]) =>
      lacking.includes(name) ? [] : membersOf(`${where}.${name}`, memberAt(schema, name), one),
    ),
  ];
}

/** A schema, and what it is made of where it has several forms. */
function branchesOf(schema: unknown): readonly Json[] {
  const one = resolved(schema);
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((name) => (one[name] ?? []) as readonly unknown[]);
  return [one, ...parts.flatMap(branchesOf)];
}

const propertiesOf = (schema: unknown): ReadonlySet<string> =>
  new Set(branchesOf(schema).flatMap((one) => Object.keys(json(one["properties"]))));

const enumsIn = (schema: unknown): readonly unknown[] =>
  branchesOf(schema)
    .flatMap((one) => (one["enum"] ?? ("const" in one ? [one["const"]] : [])) as readonly unknown[])
    .filter((value) => value !== null);

/** The schema of a member; of an element, where the value is a list; of any member, where it is a map. */
function memberAt(schema: unknown, name: string): unknown {
  for (const one of branchesOf(schema)) {
    const found =
      json(one["properties"])[name] ??
      one["items"] ??
      (isJson(one["additionalProperties"]) ? one["additionalProperties"] : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
