import { APIS, type ApiName } from "../contract/apis.ts";
import { type Endpoint, type ErrorStatus, listErrorStatuses } from "../contract/endpoint.ts";
import { getPageHeaders, type PageFigure } from "../contract/shapes/pagination.ts";
import { describeContent, listResponseFormats } from "./bodies.ts";
import { ERROR_SHAPES, ERROR_WORDS } from "./error-shapes.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { NamedShapes } from "./named-shapes.ts";

/** Returns every answer of an endpoint by status; the success first. */
export function describeResponses(endpoint: Endpoint, shapes: NamedShapes): JsonSchema {
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

/** Returns the error answers that these endpoints refer to, by the names of `answersOf`. */
export function describeErrorResponses(endpoints: readonly Endpoint[], shapes: NamedShapes): JsonSchema {
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
