import type { z } from "zod";
import { isPlatformId } from "../../kernel/ids.ts";
import type { Endpoint, LooseInput, Received } from "./endpoint.ts";

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A request as it goes on the wire; `target` is path and query without gateway prefix. */
export interface EncodedRequest {
  readonly target: string;
  /** Lower-case names; neither credentials nor the account header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** A request as a server found it. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or bytes where the endpoint takes bytes. */
  readonly body: unknown;
}

type Values = Readonly<Record<string, unknown>>;
const NONE: Values = {};

/** Writes a request, or says everything that is wrong with it. Ids that could leave their path segment are refused. */
export function encodeRequest(endpoint: Endpoint, input: LooseInput): Checked<EncodedRequest> {
  const { params = NONE, query = NONE, headers = NONE } = input;
  const problems = [
    ...check("params", endpoint.params, params),
    ...unsafeIds(params),
    ...check("query", endpoint.query, query),
    ...undeclared("query", endpoint.query, query),
    ...check("headers", endpoint.headers, headers),
    ...undeclared("headers", endpoint.headers, headers),
    ...checkBody(endpoint, input.body),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(`${params[name]}`),
  );
  const body = encodeBody(endpoint, input.body);
  return {
    ok: true,
    value: { target: path + encodeQuery(query), headers: encodeHeaders(endpoint, headers, body), body },
  };
}

/** Reads a request against its endpoint, or says everything that is wrong with it. Parameters that nobody declared are ignored. */
export function readRequest<E extends Endpoint>(endpoint: E, raw: RawRequest): Checked<Received<E>> {
  const found: Record<string, unknown> = {};
  const problems: string[] = [];
  const read = (part: string, schema: z.ZodType | undefined, value: unknown): void => {
    if (schema === undefined) return;
    const result = schema.safeParse(value);
    if (result.success) found[part] = result.data;
    else problems.push(...explain(part, result.error));
  };
  read("params", endpoint.params, raw.params);
  read("query", endpoint.query, decodeQuery(endpoint, raw.query));
  read("headers", endpoint.headers, raw.headers);
  if (endpoint.body === "bytes") found["body"] = raw.body;
  else read("body", endpoint.body, raw.body);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: found as Received<E> }; // each part was read by the schema that the type is made from
}

/** `?a=1&a=2` becomes a list where the endpoint declares one; elsewhere two values stay two, which its schema refuses. */
export function decodeQuery(endpoint: Endpoint, query: URLSearchParams): Values {
  const found: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(endpoint.query?.shape ?? {})) {
    const values = [name, ...(endpoint.aliases?.[name] ?? [])].flatMap((key) => query.getAll(key));
    if (values.length === 0) continue;
    found[name] = isRepeatable(schema) || values.length > 1 ? values : values[0];
  }
  return found;
}

const isRepeatable = (schema: z.core.$ZodType): boolean => {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType }; // wrappers have an inner type
  return type === "array" || (innerType !== undefined && isRepeatable(innerType));
};

function encodeQuery(values: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, `${one}`);
    }
  }
  return query.size === 0 ? "" : `?${query}`;
}

function encodeHeaders(endpoint: Endpoint, values: Values, body: Uint8Array | null): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) headers[name] = `${value}`;
  if (body === null) return headers;
  headers["content-type"] = endpoint.body === "bytes" ? "application/octet-stream" : "application/json";
  headers[endpoint.sizeHeader ?? "content-length"] = `${body.byteLength}`;
  return headers;
}

function encodeBody(endpoint: Endpoint, body: unknown): Uint8Array | null {
  if (endpoint.body === undefined) return null;
  return body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
}

function checkBody(endpoint: Endpoint, body: unknown): readonly string[] {
  if (endpoint.body === undefined) return body === undefined ? [] : ["body: this endpoint takes none"];
  if (endpoint.body === "bytes") return body instanceof Uint8Array ? [] : ["body: expected bytes"];
  return check("body", endpoint.body, body);
}

function check(part: string, schema: z.ZodType | undefined, value: unknown): readonly string[] {
  const result = schema?.safeParse(value);
  return result === undefined || result.success ? [] : explain(part, result.error);
}

const undeclared = (part: string, schema: z.ZodObject | undefined, values: Values): readonly string[] =>
  Object.keys(values)
    .filter((name) => !Object.hasOwn(schema?.shape ?? {}, name))
    .map((name) => `${part}.${name}: there is no such parameter`);

const unsafeIds = (params: Values): readonly string[] =>
  Object.entries(params)
    .filter(([, value]) => typeof value === "string" && !isPlatformId(value))
    .map(([name]) => `params.${name}: expected 1 to 128 of the characters A-Z a-z 0-9 _ . $ -`);

/** One line for each issue: where, and what was expected. */
export const explain = (part: string, error: z.ZodError): readonly string[] =>
  error.issues.map((issue) => `${[part, ...issue.path].join(".")}: ${issue.message}`);
