import { APIS, type Format } from "../contract/apis.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { NamedShapes } from "./named-shapes.ts";

const MEDIA_TYPES: Readonly<Record<Format, readonly string[]>> = {
  json: ["application/json"],
  yaml: ["application/yaml"],
  form: ["multipart/form-data", "application/x-www-form-urlencoded"],
};

/** The body that an endpoint takes; null for none. */
export function requestBodyOf(endpoint: Endpoint, shapes: NamedShapes): JsonSchema | null {
  const { body } = endpoint;
  if (body === undefined) return null;
  if (body === "bytes") return { required: true, content: { "application/octet-stream": {} } };
  const required = !body.safeParse(undefined).success;
  return { required, content: contentOf(endpoint, shapes.describe(body, "request")) };
}

/** What stands in a body, in each format of the service: a request and its answer are in the same one. */
export const contentOf = ({ api }: Endpoint, schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    APIS[api].formats.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, { schema }])),
  );
