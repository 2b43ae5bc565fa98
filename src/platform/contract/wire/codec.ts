import type { z } from "zod";
import { APIS, type Endpoint, type EndpointInput, type LooseInput } from "../endpoint.ts";
import {
  checkBody,
  checkPart,
  createRefusedCheck,
  type FieldError,
  findUndeclared,
  findUnsafeIds,
  parseBounded,
  type RequestCheck,
  toFieldErrors,
} from "./request-checks.ts";
import { unwrapSchema } from "./schema-parts.ts";
import { DIALECTS, type DialectName, listMemberNames, translate } from "./translate.ts";

/** An encoded request; `target` is path and query without gateway prefix. */
export interface EncodedRequest {
  readonly target: string;
  /** Lower-case names; neither credentials nor the account header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface Wire {
  readonly dialect: DialectName;
  readonly account: string;
}

/** A request as a server receives it. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or bytes where the endpoint takes bytes. */
  readonly body: unknown;
}

type WireValues = Readonly<Record<string, unknown>>;
const NONE: WireValues = {};

/**
 * Encodes a request, or returns all its problems. Input may be in any dialect. Ids that could leave their path segment, and
 * references of another account, are refused.
 */
export function encodeRequest(
  endpoint: Endpoint,
  input: LooseInput,
  wire: Wire,
): RequestCheck<EncodedRequest> {
  const { headers = NONE } = input;
  const params = toNeutralValues(endpoint.params, input.params ?? NONE);
  const query = toNeutralValues(endpoint.query, input.query ?? NONE);
  const body = isSchema(endpoint.body) ? translate(endpoint.body, input.body, "neutral") : input.body;
  const fields = [
    ...checkPart("params", endpoint.params, params),
    ...findUnsafeIds(endpoint, params, wire.account),
    ...checkPart("query", endpoint.query, query),
    ...findUndeclared("query", endpoint.query, { names: Object.keys(query) }),
    ...checkPart("headers", endpoint.headers, headers),
    ...findUndeclared("headers", endpoint.headers, { names: Object.keys(headers) }),
    ...checkBody(endpoint, body),
  ];
  if (fields.length > 0) return createRefusedCheck(fields);
  const bytes = encodeBody(endpoint, body, wire);
  const target = encodePath(endpoint, params, wire) + encodeQuery(endpoint, query, wire);
  return { ok: true, value: { target, headers: encodeHeaders(endpoint, headers, bytes), body: bytes } };
}

/** Parses a request by its endpoint, or returns all its problems. */
export function readRequest<E extends Endpoint>(
  endpoint: E,
  raw: RawRequest,
): RequestCheck<EndpointInput<E>> {
  const found: Record<string, unknown> = {};
  const fields: FieldError[] = [];
  const read = (part: string, schema: z.ZodType | undefined, value: unknown): void => {
    if (schema === undefined) return;
    const result = parseBounded(schema, translate(schema, value, "neutral"));
    if (result.success) found[part] = result.data;
    else fields.push(...toFieldErrors(part, result.error));
  };
  read("params", endpoint.params, raw.params);
  read("query", endpoint.query, decodeQuery(endpoint, raw.query));
  fields.push(
    ...findUndeclared("query", endpoint.query, {
      names: raw.query.keys(),
      accepted: listAcceptedNames(endpoint),
    }),
  );
  read("headers", endpoint.headers, raw.headers);
  if (endpoint.body === "bytes") found["body"] = raw.body;
  else read("body", endpoint.body, raw.body);
  if (fields.length > 0) return createRefusedCheck(fields);
  return { ok: true, value: found as EndpointInput<E> }; // each part was read by the schema that the type is made from
}

/** `?a=1&a=2` becomes a list where the endpoint declares one; elsewhere two values stay two, which its schema refuses. */
function decodeQuery(endpoint: Endpoint, query: URLSearchParams): WireValues {
  const found: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(endpoint.query?.shape ?? {})) {
    const values = listNames(endpoint, name).flatMap((key) => query.getAll(key));
    if (values.length === 0) continue;
    found[name] = unwrapSchema(schema).type === "array" || values.length > 1 ? values : values[0];
  }
  return found;
}

const listNames = ({ aliases }: Endpoint, name: string): readonly string[] => [
  ...listMemberNames(name),
  ...(aliases?.[name] ?? []),
];

/** Parameters that the platform's own pages and CLI add to any request. */
const GATEWAY_PARAMETERS = ["accountIdentifier", "routingId"] as const;

const listAcceptedNames = (endpoint: Endpoint): readonly string[] => [
  ...GATEWAY_PARAMETERS,
  ...Object.keys(endpoint.query?.shape ?? {}).flatMap((name) => listNames(endpoint, name)),
];

const isSchema = (body: Endpoint["body"]): body is z.ZodType => body !== undefined && body !== "bytes";

const toNeutralValues = (schema: z.ZodObject | undefined, values: WireValues): WireValues =>
  schema === undefined ? values : (translate(schema, values, "neutral") as WireValues); // an object is translated to an object

function encodePath(endpoint: Endpoint, params: WireValues, { dialect }: Wire): string {
  const { path, params: schema } = endpoint;
  const wireValues = schema === undefined ? params : (translate(schema, params, dialect) as WireValues); // an object is translated to an object
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = `${wireValues[name]}`;
    if (!endpoint.slashes?.includes(name)) return encodeURIComponent(value);
    return value.split("/").map(encodePiece).join("/");
  });
}

/** The last segment of a registry's reference is a plus sign, which is sent unescaped. */
const encodePiece = (piece: string): string => (piece === "+" ? piece : encodeURIComponent(piece));

function encodeQuery(endpoint: Endpoint, values: WireValues, { dialect, account }: Wire): string {
  const query = new URLSearchParams();
  if (APIS[endpoint.api].account === "query") query.append("accountIdentifier", account);
  const wireValues = endpoint.query === undefined ? values : translate(endpoint.query, values, dialect);
  for (const [name, value] of Object.entries(wireValues as WireValues)) {
    // A value that is not a list becomes a list of one.
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of all.filter((item) => item !== undefined)) query.append(name, `${one}`);
  }
  return query.size === 0 ? "" : `?${query}`;
}

function encodeHeaders(
  endpoint: Endpoint,
  values: WireValues,
  body: Uint8Array | null,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) headers[name] = `${value}`;
  if (body === null) return headers;
  headers["content-type"] = endpoint.body === "bytes" ? "application/octet-stream" : "application/json";
  headers[endpoint.sizeHeader ?? "content-length"] = `${body.byteLength}`;
  return headers;
}

function encodeBody({ body: schema }: Endpoint, body: unknown, { dialect }: Wire): Uint8Array | null {
  // An optional body that is not given is not sent.
  if (!isSchema(schema)) return body instanceof Uint8Array ? body : null;
  if (body === undefined) return null;
  return new TextEncoder().encode(JSON.stringify(translate(schema, body, dialect)));
}

/** Returns an endpoint's whole path in a dialect, with the service's prefix and the documents' `{names}`. */
export const getEndpointPath = ({ api, path }: Endpoint, dialect: DialectName = "neutral"): string =>
  (APIS[api].prefix ?? DIALECTS[dialect].prefix) + path;
