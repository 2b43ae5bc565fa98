import { z } from "zod";
import {
  APIS,
  type ApiName,
  type BodyFormat,
  type Contract,
  type Endpoint,
  type ErrorStatus,
  listErrorStatuses,
  type ServiceEnvelope,
} from "../contract/endpoint.ts";
import { contract as whole } from "../contract/registry.ts";
import { getPageHeaders, type PageFigure } from "../contract/shapes/pagination.ts";
import { getEndpointPath } from "../contract/wire/codec.ts";
import { DIALECTS, type DialectName } from "../contract/wire/translate.ts";
import { type JsonSchema, NamedShapes } from "./json-schema.ts";

const DESCRIPTION = [
  "Every operation of the platform that Tollgate speaks to and that its embedded platform answers.",
  "`x-source` names the section of the platform's documents; operations with `x-extra` are Tollgate's own.",
  "Members that an operation does not declare are ignored in the bodies of requests and may be added to answers; query parameters that it does not declare are refused.",
].join(" ");

/** Returns the contract as an OpenAPI 3.1 document, in the contract's order; equal contracts give equal documents. */
export function openApiDocument(
  dialect: DialectName = "neutral",
  contract: Contract = whole,
): Readonly<Record<string, unknown>> {
  const shapes = new NamedShapes(dialect);
  const endpoints = Object.values(contract);
  const paths: Record<string, JsonSchema> = {};
  for (const [name, endpoint] of Object.entries(contract)) {
    const path = getEndpointPath(endpoint, dialect);
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeOperation(name, endpoint, shapes),
    };
  }
  const responses = describeErrorResponses(endpoints, shapes);
  const finished = shapes.finish({ paths, responses });
  return {
    openapi: "3.1.0",
    info: { title: "Tollgate's platform", version: "1", description: DESCRIPTION },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((name) => ({ name })),
    paths: finished.document.paths,
    components: {
      securitySchemes: { token: { type: "apiKey", in: "header", name: "x-api-key" } },
      parameters: describeAccountParameters(DIALECTS[dialect].accountHeader),
      responses: finished.document.responses,
      schemas: finished.schemas,
    },
  };
}

function describeOperation(name: string, endpoint: Endpoint, shapes: NamedShapes): JsonSchema {
  const { area, operation, summary, description, source, extra } = endpoint;
  const body = buildRequestBody(endpoint, shapes);
  return {
    operationId: name,
    tags: [area],
    summary,
    ...(description === undefined ? {} : { description }),
    "x-command": `${area} ${operation}`,
    "x-source": source,
    ...(extra === true ? { "x-extra": true } : {}),
    parameters: [...describeParameters(endpoint, shapes)],
    ...(body === null ? {} : { requestBody: body }),
    responses: describeResponses(endpoint, shapes),
  };
}

const PARTS = [
  ["params", "path"],
  ["query", "query"],
  ["headers", "header"],
] as const;

/** Returns every parameter of an endpoint: the account first, then path, query and headers as declared. */
function describeParameters(endpoint: Endpoint, shapes: NamedShapes): readonly JsonSchema[] {
  const own = PARTS.flatMap(([part, place]) => {
    const schema = endpoint[part];
    return schema === undefined ? [] : describePlace(place, describeShape(schema, shapes), endpoint);
  });
  return [...describeAccountParameter(endpoint), ...own, ...describeSizeHeader(endpoint)];
}

interface ObjectShape {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

function describeShape(schema: z.ZodObject, shapes: NamedShapes): ObjectShape {
  const { properties = {}, required = [] } = shapes.describe(schema, "request");
  return { properties, required } as ObjectShape; // JSON Schema of an object
}

function describePlace(place: string, shape: ObjectShape, endpoint: Endpoint): readonly JsonSchema[] {
  return Object.entries(shape.properties).map(([name, { description, ...schema }]) => {
    const words = [description, ...listParameterNotes(endpoint, name)]
      .filter((part) => part !== undefined)
      .join(" ");
    const required = place === "path" || shape.required.includes(name);
    return { name, in: place, required, ...(words === "" ? {} : { description: words }), schema };
  });
}

function listParameterNotes({ aliases, slashes }: Endpoint, name: string): readonly string[] {
  const others = aliases?.[name] ?? [];
  return [
    ...(others.length === 0 ? [] : [`Also taken as ${others.map((other) => `\`${other}\``).join(", ")}.`]),
    ...(slashes?.includes(name) === true ? ["Its slashes are sent as they are."] : []),
  ];
}

/** References to what `components.parameters` describes. */
function describeAccountParameter({ api }: Endpoint): readonly JsonSchema[] {
  const { account } = APIS[api];
  return account === "path" ? [] : [{ $ref: `#/components/parameters/${ACCOUNT_AT[account]}` }];
}

const ACCOUNT_AT = { header: "AccountHeader", query: "AccountQuery" } as const;

/** `Content-Length`; servers count what arrives, so a missing one is no error. */
const describeSizeHeader = ({ sizeHeader }: Endpoint): readonly JsonSchema[] =>
  sizeHeader === undefined
    ? []
    : [
        {
          name: sizeHeader,
          in: "header",
          required: false,
          description: "Size of the body in bytes.",
          schema: { type: "integer", minimum: 0 },
        },
      ];

const identifier: JsonSchema = { type: "string", minLength: 1, maxLength: 128 };

const describeAccountParameters = (accountHeader: string): Readonly<Record<string, JsonSchema>> => ({
  AccountHeader: {
    name: accountHeader,
    in: "header",
    required: true,
    description: "Id of the account that the call is about.",
    schema: identifier,
  },
  AccountQuery: {
    name: "accountIdentifier",
    in: "query",
    required: true,
    description: "Id of the account that the call is about.",
    schema: identifier,
  },
});

function describeResponses(endpoint: Endpoint, shapes: NamedShapes): JsonSchema {
  const errors = listErrorStatuses(endpoint).map((status) => [
    `${status}`,
    { $ref: `#/components/responses/${getAnswerName(endpoint.api, status)}` },
  ]);
  return { [`${endpoint.status}`]: describeSuccess(endpoint, shapes), ...Object.fromEntries(errors) };
}

function describeSuccess(endpoint: Endpoint, shapes: NamedShapes): JsonSchema {
  const { response, summary } = endpoint;
  const content =
    response === "empty"
      ? {}
      : { content: describeContent(listResponseFormats(endpoint), shapes.describe(response, "answer")) };
  return { description: `${summary}.`, ...describeHeaders(endpoint), ...content };
}

function describeHeaders({ pagination }: Endpoint): JsonSchema {
  if (pagination === undefined) return {};
  const counted = pagination.ask.by === "page" ? pagination.ask.first : 1;
  const headers = Object.entries(getPageHeaders(pagination)).map(([name, figure]) => {
    const description = FIGURES[figure](counted);
    return [name, { description, required: figure !== "next", schema: { type: "integer", minimum: 0 } }];
  });
  return { headers: Object.fromEntries(headers) };
}

/** Descriptions of the page headers; pages are counted from `first`. */
const FIGURES: Readonly<Record<PageFigure, (first: number) => string>> = {
  total: () => "How many items there are in all.",
  page: (first) => `Number of the page that the first item lies on, from ${first}.`,
  size: () => "Items of a page.",
  pages: () => "How many pages there are.",
  next: () => "Number of the next page; absent from the last one.",
};

const getAnswerName = (api: ApiName, status: ErrorStatus): string => `${api}-${status}`;

/** Returns the error answers that these endpoints refer to, by `getAnswerName`. */
function describeErrorResponses(endpoints: readonly Endpoint[], shapes: NamedShapes): JsonSchema {
  const used = new Map<string, JsonSchema>();
  for (const endpoint of endpoints) {
    const { envelope, formats } = APIS[endpoint.api];
    const schema = shapes.describe(ERROR_SHAPES[envelope], "answer");
    const { "application/json": json = null, ...others } = describeContent(formats, schema);
    const content = {
      [envelope === "goa" ? "application/vnd.goa.error" : "application/json"]: json,
      ...others,
    };
    for (const status of listErrorStatuses(endpoint)) {
      used.set(getAnswerName(endpoint.api, status), { description: ERROR_WORDS[status], content });
    }
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const GoaError = z
  .object({
    name: z.string().describe("The kind of error, e.g. `not_found`."),
    id: z.string().describe("Names this one answer."),
    message: z.string().describe("What is wrong, for people."),
    temporary: z.boolean().describe("The same call may succeed later."),
    timeout: z.boolean(),
    fault: z.boolean().describe("The service's own fault, not the caller's."),
  })
  .meta({ id: "GoaError" });

const ErrorMetadata = z.looseObject({ type: z.string() }).nullable();

const WHOSE_FAULT = "`FAILURE`: the request is wrong; `ERROR`: the service failed.";

const CostError = z
  .looseObject({
    status: z.enum(["FAILURE", "ERROR"]).describe(WHOSE_FAULT),
    code: z.string().describe("One of the service's codes, e.g. `INVALID_REQUEST`."),
    message: z.string().describe("What is wrong, for people."),
    correlationId: z.string().nullable().describe("Names this call; quote it when asking about it."),
    errors: z
      .array(z.looseObject({ fieldId: z.string(), error: z.string() }))
      .optional()
      .describe("What is wrong with single members of the request."),
    detailedMessage: z.string().optional(),
    responseMessages: z.array(z.looseObject({ code: z.string() })).optional(),
    metadata: ErrorMetadata.optional(),
  })
  .meta({ id: "CostError" });

const FlagsError = z
  .looseObject({
    code: z.string().describe("The status as text."),
    message: z.string().describe("What is wrong, for people."),
    details: z.looseObject({}).optional(),
  })
  .meta({ id: "FlagsError" });

const RegistryError = z
  .looseObject({
    status: z.enum(["FAILURE", "ERROR"]).describe(WHOSE_FAULT),
    code: z.string().describe("The status as text."),
    message: z.string().describe("What is wrong, for people."),
    details: z.looseObject({}).optional(),
  })
  .meta({ id: "RegistryError" });

const CodeError = z
  .looseObject({
    message: z.string().describe("What is wrong, for people."),
    values: z.looseObject({}).optional(),
  })
  .meta({ id: "CodeError" });

export const ERROR_SHAPES: Readonly<Record<ServiceEnvelope, z.ZodObject>> = {
  goa: GoaError,
  cost: CostError,
  flags: FlagsError,
  registry: RegistryError,
  code: CodeError,
};

const ERROR_WORDS: Readonly<Record<ErrorStatus, string>> = {
  400: "The request breaks the contract; the message names every problem.",
  401: "`x-api-key` holds no valid token.",
  403: "The token does not open this account, organisation or project.",
  404: "There is no such thing, or this token may not know of it.",
  408: "The service gave up waiting.",
  409: "It contradicts what is already there.",
  412: "What the request builds on is not there, or not in the state it needs.",
  413: "The body is larger than this operation takes.",
  415: "The body's media type is none that this operation takes.",
  423: "It is locked: somebody forbade it, or is changing it.",
  429: "Too many calls; wait and try again.",
  499: "The connection ended before the request was complete.",
  500: "The service failed; its operator's log says why.",
  502: "A service behind this one failed.",
};

const MEDIA_TYPES: Readonly<Record<BodyFormat, readonly string[]>> = {
  json: ["application/json"],
  yaml: ["application/yaml"],
  form: ["multipart/form-data", "application/x-www-form-urlencoded"],
};

/** Returns the request body of an endpoint; null for none. */
function buildRequestBody(endpoint: Endpoint, shapes: NamedShapes): JsonSchema | null {
  const { body } = endpoint;
  if (body === undefined) return null;
  if (body === "bytes") return { required: true, content: { "application/octet-stream": {} } };
  const required = !body.safeParse(undefined).success;
  return { required, content: describeContent(APIS[endpoint.api].formats, shapes.describe(body, "request")) };
}

/** Returns the formats of an endpoint's answer. Only a form request gets a form answer. */
const listResponseFormats = ({ api, body }: Endpoint): readonly BodyFormat[] =>
  APIS[api].formats.filter((format) => format !== "form" || (body !== undefined && body !== "bytes"));

const describeContent = (formats: readonly BodyFormat[], schema: JsonSchema): JsonSchema =>
  Object.fromEntries(formats.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, { schema }])));
