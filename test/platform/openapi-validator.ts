import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { getEndpointPath } from "../../src/platform/contract/wire/codec.ts";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import { openApiDocument } from "../../src/platform/openapi/document.ts";

/**
 * What is wrong with a body that was answered, by the published document; nothing: it is as published. `body` is parsed
 * JSON; null, "" or undefined for an answer without one.
 */
export type ValidateAnswer = (endpoint: Endpoint, status: number, body: unknown) => readonly string[];

/** Names of headers that the document publishes for an answer, by whether they are always there. */
export interface PublishedHeaders {
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
}

interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Answer>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}

const FILE = new URL("../../docs/openapi.json", import.meta.url);

const documentIn = (dialect: DialectName): Document =>
  dialect === "neutral"
    ? JSON.parse(readFileSync(FILE, "utf8"))
    : (openApiDocument(dialect) as unknown as Document); // made to be that

/** The headers that the published document names for an endpoint's answer with a status. */
export function publishedHeaders(
  dialect: DialectName,
): (endpoint: Endpoint, status: number) => PublishedHeaders {
  const document = documentIn(dialect);
  return (endpoint, status) => {
    const at = [
      "paths",
      getEndpointPath(endpoint, dialect),
      endpoint.method.toLowerCase(),
      "responses",
      `${status}`,
    ];
    const all = Object.entries(answerAt(document, at)?.answer.headers ?? {});
    const named = (required: boolean) =>
      all.filter(([, header]) => (header.required ?? false) === required).map(([name]) => name.toLowerCase());
    return { always: named(true), sometimes: named(false) };
  };
}

/** Judges answers in the neutral dialect by `docs/openapi.json`, in the live one by the document that the contract makes. */
export function answerValidator(dialect: DialectName = "neutral"): ValidateAnswer {
  const document = documentIn(dialect);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: "api", ...document });
  const compiled = new Map<string, ValidateFunction>();
  const compile = (at: string): ValidateFunction => {
    const known = compiled.get(at) ?? ajv.compile({ $ref: `api#${at}` });
    compiled.set(at, known);
    return known;
  };
  return (endpoint, status, body) => {
    const path = getEndpointPath(endpoint, dialect);
    const at = ["paths", path, endpoint.method.toLowerCase(), "responses", `${status}`];
    const found = answerAt(document, at);
    if (found === null) return [`${endpoint.method} ${path} publishes no answer ${status}`];
    const type = Object.keys(found.answer.content ?? {})[0];
    if (type === undefined) return isEmpty(body) ? [] : [`${status} publishes no body`];
    return problemsOf(compile(pointer([...found.at, "content", type, "schema"])), body);
  };
}

const isEmpty = (body: unknown): boolean => body === undefined || body === null || body === "";

const problemsOf = (validate: ValidateFunction, body: unknown): readonly string[] =>
  validate(body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);

function answerAt(
  document: Document,
  at: readonly string[],
): { answer: Answer; at: readonly string[] } | null {
  const [, path = "", method = "", , status = ""] = at;
  const answer = document.paths[path]?.[method]?.responses[status];
  if (answer?.$ref === undefined) return answer === undefined ? null : { answer, at };
  const name = answer.$ref.split("/").at(-1) ?? "";
  const named = document.components.responses[name];
  return named === undefined ? null : { answer: named, at: ["components", "responses", name] };
}

const pointer = (names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
