import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { getEndpointPath } from "../../src/platform/contract/wire/address.ts";
import { openApiDocument } from "../../src/platform/openapi/document.ts";
import type { Limit } from "./case.ts";

/** The members of a JSON schema that say where a value ends. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name?: string;
  readonly in?: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const DOCUMENT = openApiDocument() as unknown as Document; // made to be that

const PARTS = { path: "params", query: "query", header: "headers" } as const;

/** Values that the published document does not allow, for each parameter, and for each scalar or list that the input's body holds. */
export function publishedLimits(endpoint: Endpoint, input: LooseInput): readonly Limit[] {
  const operation = DOCUMENT.paths[getEndpointPath(endpoint)]?.[endpoint.method.toLowerCase()];
  const parameters = [
    ...(operation?.parameters ?? []).flatMap((parameter) => ofParameter(parameter)),
    { at: "query.noSuchParameter", bad: ["x"] },
  ];
  const body = operation?.requestBody?.content["application/json"]?.schema;
  if (body === undefined) return parameters;
  return [...parameters, ...ofMember({ schema: body, at: "body", value: input.body })];
}

function ofParameter({ name, in: place, required, schema }: Parameter): readonly Limit[] {
  // The size header is what the connection makes of the body.
  if (name === undefined || place === undefined || schema === undefined || name === "content-length")
    return [];
  const at = `${PARTS[place]}.${name}`;
  const one = schema.type === "array" ? (schema.items ?? {}) : schema;
  // An empty segment is another path, and a text that a query should hold as a number is still a text.
  const bad = outside(one).filter((value) => value !== "" || place !== "path");
  const missing = required === true && place !== "path" ? [undefined] : [];
  return bad.length + missing.length === 0 ? [] : [{ at, bad: [...bad, ...missing] }];
}

interface Member {
  readonly schema: Schema;
  readonly at: string;
  readonly value: unknown;
}

function ofMember(member: Member): readonly Limit[] {
  const { schema, at } = resolved(member);
  const own = [...outside(schema), ...wrongType(schema)];
  return [...(own.length === 0 ? [] : [{ at, bad: own }]), ...ofParts(resolved(member))];
}

function resolved(member: Member): Member {
  const { $ref } = member.schema;
  const named = $ref === undefined ? undefined : DOCUMENT.components.schemas[$ref.split("/").at(-1) ?? ""];
  return named === undefined ? member : resolved({ ...member, schema: named });
}

function ofParts({ schema, at, value }: Member): readonly Limit[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || value.length === 0) return [];
    return ofMember({ schema: items, at: `${at}.0`, value: value[0] });
  }
  const given = new Map(Object.entries(value));
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(given.has(name) ? ofMember({ schema: member, at: `${at}.${name}`, value: given.get(name) }) : []),
    ...(schema.required?.includes(name) ? [{ at: `${at}.${name}`, bad: [undefined] }] : []),
  ]);
}

/** Just outside each limit. */
function outside(schema: Schema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  return [
    ...(minLength !== undefined && minLength > 0 ? ["x".repeat(minLength - 1)] : []),
    ...(maxLength === undefined || maxLength > 20_000 ? [] : ["x".repeat(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [maximum + 1]),
    ...(schema.enum === undefined ? [] : ["no-such-value"]),
    ...(maxItems === undefined || maxItems > 2_000 ? [] : [Array.from({ length: maxItems + 1 }, () => "x")]),
  ];
}

const WRONG: Readonly<Record<string, unknown>> = {
  string: 5,
  integer: "five",
  number: "five",
  boolean: "yes",
  array: "none",
  object: [],
};

/** Something of another type, in JSON only: a query knows texts alone. */
const wrongType = ({ type }: Schema): readonly unknown[] =>
  typeof type === "string" && Object.hasOwn(WRONG, type) ? [WRONG[type]] : [];
