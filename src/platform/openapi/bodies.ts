import { APIS, type BodyFormat } from "../contract/apis.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { NamedShapes } from "./named-shapes.ts";

const MEDIA_TYPES: Readonly<Record<BodyFormat, readonly string[]>> = {
  json: ["application/json"],
  yaml: ["application/yaml"],
  form: ["multipart/form-data", "application/x-www-form-urlencoded"],
};

/** Returns the request body of an endpoint; null for none. */
export function buildRequestBody(endpoint: Endpoint, shapes: NamedShapes): JsonSchema | null {
  const { body } = endpoint;
  if (body === undefined) return null;
  if (body === "bytes") return { required: true, content: { "application/octet-stream": {} } };
  const required = !body.safeParse(undefined).success;
  return { required, content: describeContent(APIS[endpoint.api].formats, shapes.describe(body, "request")) };
}

/** Returns the formats of an endpoint's answer. Only a form request gets a form answer. */
export const listResponseFormats = ({ api, body }: Endpoint): readonly BodyFormat[] =>
  APIS[api].formats.filter((format) => format !== "form" || (body !== undefined && body !== "bytes"));

/** Describes a body in each of its formats. */
export const describeContent = (formats: readonly BodyFormat[], schema: JsonSchema): JsonSchema =>
  Object.fromEntries(formats.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, { schema }])));
