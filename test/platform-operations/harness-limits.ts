import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import type { Limit } from "./case.ts";
import { findPublished, type Parameter, resolveSchema, type Schema } from "./published-operations.ts";

const PARTS = { path: "params", query: "query", header: "headers" } as const;

/** Values that the published document does not allow, for each parameter, and for each scalar or list that the input's body holds. */
export function publishedLimits(endpoint: Endpoint, input: LooseInput): readonly Limit[] {
  const { parameters, body } = findPublished(endpoint);
  const limits = [...parameters.flatMap(ofParameter), { at: "query.noSuchParameter", bad: ["x"] }];
  return body === undefined
    ? limits
    : [...limits, ...ofMember({ schema: body, at: "body", value: input.body })];
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
  const schema = resolveSchema(member.schema);
  const own = [...outside(schema), ...wrongType(schema)];
  return [...(own.length === 0 ? [] : [{ at: member.at, bad: own }]), ...ofParts({ ...member, schema })];
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
