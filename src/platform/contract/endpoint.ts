import type { z } from "zod";
import type { Pagination } from "./shapes/pagination.ts";

/**
 * One endpoint of the platform's API, declared once: client, embedded server, CLI and documents are derived
 * from it. A schema's input is the wire form of a value, its output the parsed form.
 */
export interface Endpoint {
  /** The service of the endpoint: determines the account's parameter, the error envelope and the formats. */
  readonly api: ApiName;
  /** First word of `tollgate api <area> <operation>`. */
  readonly area: string;
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Template with `{name}` segments, without the gateway prefix. Literal segments win over `{name}` segments. */
  readonly path: string;
  /** One line, no full stop. */
  readonly summary: string;
  /** Details beyond the summary, in whole sentences, for the generated reference. */
  readonly description?: string;
  /** The section of the platform's documents, e.g. "provisioning 4.2". */
  readonly source: string;
  /** One key for each `{name}` of the path. */
  readonly params?: z.ZodObject;
  /** Path parameters that may contain slashes, which are sent unescaped (`registry_ref`). */
  readonly slashes?: readonly string[];
  /** An array means that the parameter may be repeated (`type=a&type=b`). */
  readonly query?: z.ZodObject;
  /** Other names that a server accepts for a query parameter; a client never sends them. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Lower-case names. Credentials and the account header are not listed: every call carries them. */
  readonly headers?: z.ZodObject;
  /** Request header that states the body's size in bytes. */
  readonly sizeHeader?: "content-length";
  /** A schema means JSON; `bytes` means `application/octet-stream`; absent means no body. */
  readonly body?: z.ZodType | "bytes";
  readonly response: z.ZodType | "empty";
  /** The success status that a server answers; a client accepts any 2xx. */
  readonly status: 200 | 201 | 202 | 204;
  /** Error statuses that its own handler may answer beside those of every operation, which are in `COMMON_ERRORS`. Absent: none. */
  readonly errors?: readonly ErrorStatus[];
  /** Absent: not a paged list. */
  readonly pagination?: Pagination;
  /** Not in the platform's three documents: see docs/architecture.md. */
  readonly extra?: true;
}

/** Error statuses in the platform's documents and in HTTP. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 408 | 409 | 412 | 413 | 415 | 423 | 429 | 499 | 500 | 502;

/** Errors that any operation may answer: wrong requests, credentials, sizes and formats, and failures. */
const COMMON_ERRORS = [400, 401, 403, 413, 415, 499, 500] as const satisfies readonly ErrorStatus[];

/** Every error status of an endpoint, the common ones included, in ascending order. */
export const listErrorStatuses = ({ errors = [] }: Pick<Endpoint, "errors">): readonly ErrorStatus[] =>
  [...new Set([...errors, ...COMMON_ERRORS])].sort((a, b) => a - b);

type PathParameterNames<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? N | PathParameterNames<Rest>
  : never;
type KeysOf<D> = D extends { readonly params: z.ZodObject<infer Shape> } ? keyof Shape : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type ParamsMatchPath<D extends Endpoint> =
  Same<KeysOf<D>, PathParameterNames<D["path"]>> extends true
    ? unknown
    : { readonly params: `the keys of params must be the names in ${D["path"]}` };

/** Declares an endpoint. Params that are not exactly the path's `{names}` do not compile. */
export const declareEndpoint = <const D extends Endpoint>(declaration: D & ParamsMatchPath<D>): D =>
  declaration;

/** An endpoint picked at run time (by the CLI): its input is checked when it is sent, not when it is compiled. */
export interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type RequestPartName = "params" | "query" | "headers" | "body";
type SchemaOf<E, K extends RequestPartName> = E extends { readonly [k in K]: infer S } ? S : never;
type Flat<T> = { [K in keyof T]: T[K] };

// A part that may be left out entirely is an optional member.
type RequestPartAs<K extends RequestPartName, V> =
  Record<never, never> extends V ? { readonly [k in K]?: V } : { readonly [k in K]: V };
type RequestPart<K extends RequestPartName, S> = [S] extends [never]
  ? unknown
  : S extends "bytes"
    ? { readonly [k in K]: Uint8Array }
    : S extends z.ZodType
      ? RequestPartAs<K, z.input<S>>
      : unknown;
type ParsedPart<K extends RequestPartName, S> = [S] extends [never]
  ? unknown
  : S extends "bytes"
    ? { readonly [k in K]: Uint8Array }
    : S extends z.ZodType
      ? { readonly [k in K]: z.output<S> }
      : unknown;

/** A client's input of `E`. */
export type ClientInput<E extends Endpoint> = Endpoint extends E
  ? LooseInput
  : Flat<
      RequestPart<"params", SchemaOf<E, "params">> &
        RequestPart<"query", SchemaOf<E, "query">> &
        RequestPart<"headers", SchemaOf<E, "headers">> &
        RequestPart<"body", SchemaOf<E, "body">>
    >;

/** The input of a server's handler: validated, with defaults. */
export type EndpointInput<E extends Endpoint> = Flat<
  ParsedPart<"params", SchemaOf<E, "params">> &
    ParsedPart<"query", SchemaOf<E, "query">> &
    ParsedPart<"headers", SchemaOf<E, "headers">> &
    ParsedPart<"body", SchemaOf<E, "body">>
>;

/** A client's parsed answer. `undefined` when the answer has no body. */
export type EndpointOutput<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.output<E["response"]>
  : undefined;

/** A server's answer body before encoding. `undefined` when the answer has no body. */
export type ResponseBody<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.input<E["response"]>
  : undefined;

/** A server's success of `E`. `total`: the number of items of a list that states it in headers only. */
export type EndpointReply<E extends Endpoint> = {
  readonly body: ResponseBody<E>;
  readonly total?: number;
} & (E extends {
  readonly pagination: { readonly total: { readonly in: "headers" } };
}
  ? { readonly total: number }
  : unknown);

export type Contract = Readonly<Record<string, Endpoint>>;

/** The services of the platform. They differ in how they name the account, report errors and encode requests. */
export type ApiName = "provisioning" | "cost" | "flags" | "registry" | "code" | "tollgate";

/** Formats of a request's body and of its answer (document 1, section 1). */
export type BodyFormat = "json" | "yaml" | "form";

/** The shape of an error answer: see `platform-server/http/envelopes.ts`, which writes each, and `platform/errors.ts`, which reads all. */
export type ServiceEnvelope = "goa" | "cost" | "flags" | "registry" | "code";

interface Api {
  /** Where a request names its account: a header, the query's `accountIdentifier`, or the first part of `registry_ref`. */
  readonly account: "header" | "query" | "path";
  readonly envelope: ServiceEnvelope;
  readonly formats: readonly BodyFormat[];
  /** Path in front of every path of the contract; `null`: the dialect's, or the operator's setting. */
  readonly prefix: string | null;
}

/** The formats of requests and answers of every API that the documents describe. */
const SHARED = ["json", "yaml", "form"] as const;

export const APIS: Readonly<Record<ApiName, Api>> = {
  provisioning: { account: "header", envelope: "goa", formats: SHARED, prefix: null },
  cost: { account: "query", envelope: "cost", formats: SHARED, prefix: "/gateway/ccm/api" },
  flags: { account: "query", envelope: "flags", formats: SHARED, prefix: "" },
  registry: { account: "path", envelope: "registry", formats: SHARED, prefix: "" },
  code: { account: "query", envelope: "code", formats: SHARED, prefix: "" },
  // Tollgate's own operations: large bodies from Tollgate's programs.
  tollgate: { account: "header", envelope: "goa", formats: ["json"], prefix: "" },
};
