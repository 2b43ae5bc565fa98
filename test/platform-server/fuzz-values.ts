import fc from "fast-check";
import { putAt } from "../platform-operations/harness-loose.ts";
import { resolveSchema, type Schema } from "../platform-operations/published-operations.ts";

const DEEPEST = 6;
/** Longer texts and lists are for the hostile values. */
const LONG = 24;

/** Values that a schema allows, as far as it tells. */
export function allowed(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (depth > DEEPEST) return fc.constant(null);
  const inner = (one: Schema) => allowed(one, depth + 1);
  const whole = resolveSchema(schema);
  return listed(whole) ?? chosen(whole, inner) ?? typed(whole, inner);
}

type Inner = (schema: Schema) => fc.Arbitrary<unknown>;

/** One of the values that the schema names. */
function listed(schema: Schema): fc.Arbitrary<unknown> | null {
  const { const: only, enum: some, examples } = schema;
  const values = only === undefined ? (some ?? examples ?? []) : [only];
  return values.length === 0 ? null : fc.constantFrom(...values);
}

function chosen({ anyOf, oneOf, allOf }: Schema, inner: Inner): fc.Arbitrary<unknown> | null {
  const choices = anyOf ?? oneOf ?? allOf ?? [];
  return choices.length === 0 ? null : fc.oneof(...choices.map(inner));
}

function typed(schema: Schema, inner: Inner): fc.Arbitrary<unknown> {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.json({ maxDepth: 2 }).map((made) => JSON.parse(made));
  return fc.oneof(...types.map((type) => ofType(type, schema, inner)));
}

function ofType(type: string, schema: Schema, inner: Inner): fc.Arbitrary<unknown> {
  const make = TYPES[type];
  return make === undefined ? fc.constant(null) : make(schema, inner);
}

type Make = (schema: Schema, inner: Inner) => fc.Arbitrary<unknown>;

const TYPES: Readonly<Record<string, Make>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER }) =>
    fc.oneof(
      fc.integer({ min: Math.min(minimum, maximum), max: Math.min(maximum, Math.max(minimum, 0) + 1_000) }),
      fc.constantFrom(minimum, maximum),
    ),
  number: ({ minimum = -1e6, maximum = 1e6 }) => fc.double({ min: minimum, max: maximum, noNaN: true }),
  string: text,
  array: ({ items = {}, minItems = 0, maxItems = 3 }, inner) =>
    fc.array(inner(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) }),
  object: ({ properties = {}, required = [], additionalProperties }, inner) => {
    const members = Object.entries(properties).map(([name, one]) => [name, inner(one)] as const);
    const declared = fc.record(Object.fromEntries(members), {
      requiredKeys: required.filter((name) => Object.hasOwn(properties, name)),
    });
    if (typeof additionalProperties !== "object") return declared;
    const free = fc.dictionary(fc.string({ maxLength: 8 }), inner(additionalProperties), { maxKeys: 3 });
    return fc.tuple(free, declared).map(([some, others]) => ({ ...some, ...others }));
  },
};

function text({ pattern, minLength = 0, maxLength = LONG }: Schema): fc.Arbitrary<unknown> {
  // fast-check writes no texts for patterns that look ahead.
  if (pattern !== undefined && !pattern.includes("(?")) return fc.stringMatching(new RegExp(pattern));
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONG)) };
  return fc.oneof(fc.string(lengths), fc.string({ ...lengths, unit: "grapheme" }));
}

const HOSTILE_TEXTS = [
  ...". .. % %00 a/b ../../etc/passwd \\ _%_ __proto__ constructor null undefined true NaN Infinity".split(
    " ",
  ),
  ..."-0 1e400 0x10 99999999999999999999 2147483648 9223372036854775808 -1 1.5 9999-99-99".split(" "),
  ...["", " ", "\u0000", "\ud800", "\u202e\u200b", "𝕏".repeat(70), "x".repeat(129), "x".repeat(5_000)],
  ...["'; drop table tokens; --", "%' or 1=1 --", "$(id)", "{{7*7}}", "http://127.0.0.1:1/"],
];

/** What strangers send where something else is wanted. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS),
  fc.constantFrom<unknown>(
    ...[0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324, -0, null, true, false, [], {}, [[]], [null]],
    { __proto__: null, constructor: 1 },
    { $gt: "" },
    Array.from({ length: 2_000 }, () => "x"),
  ),
  fc.integer({ min: 10, max: 2_000 }).map((depth) => nested(depth)),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.json({ maxDepth: 3 }).map((made): unknown => JSON.parse(made)),
);

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** The value with one part of it, at any depth, put in the place of another, taken out, or doubled. */
export const broken = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.nat(), hostile, fc.constantFrom("replace", "replace", "remove", "add"))
    .map(([pick, other, how]) => {
      const places = placesOf(value);
      const place = places[pick % places.length] ?? [];
      return putAt(value, place, (old) => applied(old, { how, other }));
    });

type Path = readonly string[];

const placesOf = (value: unknown, at: Path = []): readonly Path[] =>
  typeof value !== "object" || value === null || value instanceof Uint8Array
    ? [at]
    : [at, ...Object.entries(value).flatMap(([key, one]) => placesOf(one, [...at, key]))];

function applied(value: unknown, { how, other }: { how: string; other: unknown }): unknown {
  if (how === "remove") return undefined;
  if (how === "replace") return other;
  if (Array.isArray(value)) return [...value, ...value, other];
  return typeof value === "object" && value !== null ? { ...value, surplus: other } : [value, value];
}
