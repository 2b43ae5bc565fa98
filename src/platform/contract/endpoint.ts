import type { z } from "zod";

/**
 * One endpoint of the platform's API, declared once: client, embedded server, CLI and documents all read this row.
 * Values have two faces: what is written on the wire (a schema's input) and what is read from it (its output).
 */
export interface Endpoint {
  /** First word of `tollgate api <area> <operation>`. */
  readonly area: string;
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Template with `{name}` segments, without the gateway prefix. Literal segments win over `{name}` segments. */
  readonly path: string;
  readonly summary: string;
  /** Where the platform's documents describe it, e.g. "provisioning 4.2". */
  readonly source: string;
  /** One key for each `{name}` of the path. */
  readonly params?: z.ZodObject;
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
  /** Error statuses named by the documents. */
  readonly errors: readonly number[];
  /** Where an answer says how many more there are: in response headers or in the body. Absent: not paged. */
  readonly pagination?: "headers" | "body";
  /** Not in the platform's three documents: see docs/architecture.md. */
  readonly extra?: true;
}

type Names<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;
type KeysOf<D> = D extends { readonly params: z.ZodObject<infer Shape> } ? keyof Shape : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type ParamsMatchPath<D extends Endpoint> =
  Same<KeysOf<D>, Names<D["path"]>> extends true
    ? unknown
    : { readonly params: `the keys of params must be the names in ${D["path"]}` };

/** Declares an endpoint. Params that are not exactly the path's `{names}` do not compile. */
export const endpoint = <const D extends Endpoint>(declaration: D & ParamsMatchPath<D>): D => declaration;

/** An endpoint picked at run time (by the CLI): its input is checked when it is sent, not when it is compiled. */
export interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type PartName = "params" | "query" | "headers" | "body";
type SchemaOf<E, K extends PartName> = E extends { readonly [k in K]: infer S } ? S : never;
type Flat<T> = { [K in keyof T]: T[K] };

// A part that may be left out entirely is an optional member.
type SentAs<K extends PartName, V> =
  Record<never, never> extends V ? { readonly [k in K]?: V } : { readonly [k in K]: V };
type Sent<K extends PartName, S> = [S] extends [never]
  ? unknown
  : S extends "bytes"
    ? { readonly [k in K]: Uint8Array }
    : S extends z.ZodType
      ? SentAs<K, z.input<S>>
      : unknown;
type Got<K extends PartName, S> = [S] extends [never]
  ? unknown
  : S extends "bytes"
    ? { readonly [k in K]: Uint8Array }
    : S extends z.ZodType
      ? { readonly [k in K]: z.output<S> }
      : unknown;

/** What a client gives to call `E`. */
export type Input<E extends Endpoint> = Endpoint extends E
  ? LooseInput
  : Flat<
      Sent<"params", SchemaOf<E, "params">> &
        Sent<"query", SchemaOf<E, "query">> &
        Sent<"headers", SchemaOf<E, "headers">> &
        Sent<"body", SchemaOf<E, "body">>
    >;

/** What a server's handler is given: validated, defaults filled in. */
export type Received<E extends Endpoint> = Flat<
  Got<"params", SchemaOf<E, "params">> &
    Got<"query", SchemaOf<E, "query">> &
    Got<"headers", SchemaOf<E, "headers">> &
    Got<"body", SchemaOf<E, "body">>
>;

/** What a client gets back: parsed. `undefined` when the answer has no body. */
export type Output<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.output<E["response"]>
  : undefined;

/** What a server writes back, before it is turned into JSON. `undefined` when the answer has no body. */
export type Written<E extends Endpoint> = E["response"] extends z.ZodType
  ? z.input<E["response"]>
  : undefined;

/** A server's answer to `E` when all is well. */
export interface Reply<E extends Endpoint> {
  readonly body: Written<E>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Contract = Readonly<Record<string, Endpoint>>;

/** One handler for each endpoint of a contract: a missing one does not compile. `Problem` is the server's own error answer. */
export type Handlers<C extends Contract, Context, Problem = never> = {
  readonly [K in keyof C]: (
    input: Received<C[K]>,
    context: Context,
  ) => Reply<C[K]> | Problem | Promise<Reply<C[K]> | Problem>;
};
