import type { z } from "zod";
import { DIALECTS, type Dialect, type DialectName, type Vocabulary } from "./dialect.ts";
import { vocabularyOf } from "./vocabulary.ts";

type ZodSchema = z.core.$ZodType;

/**
 * Translates a value of a schema, in the words of any dialect, to dialect `to`. Renames only members that the
 * schema declares, and values of marked enumerations: free maps, texts and values of another shape stay
 * unchanged. Returns at once where the dialects do not differ.
 */
export function translate(schema: ZodSchema, value: unknown, to: DialectName): unknown {
  return differs(schema) ? walk(schema, value, to) : value;
}

/** Returns a dialect's name of a member; `name` is the contract's. */
export function memberName(name: string, { firstWords }: Pick<Dialect, "firstWords">): string {
  for (const [first, other] of Object.entries(firstWords))
    if (name.startsWith(first) && !/^[a-z\d]/.test(name.slice(first.length)))
      return other + name.slice(first.length);
  return name;
}

/** Returns a dialect's names along a field's path. */
export const fieldIn = (field: string, dialect: Pick<Dialect, "firstWords">): string =>
  field
    .split(".")
    .map((name) => memberName(name, dialect))
    .join(".");

/** Returns a member's names in all dialects, the contract's first. */
export const memberNames = (name: string): readonly string[] => [
  ...new Set([name, ...Object.values(DIALECTS).map((dialect) => memberName(name, dialect))]),
];

/** Returns a dialect's word for a value of a vocabulary in any dialect. */
export const word = (vocabulary: Vocabulary, value: string, to: DialectName): string =>
  WORDS[to][vocabulary].get(value) ?? value;

type WireNames = Readonly<Record<Vocabulary, ReadonlyMap<string, string>>>;

/** A dialect's own words by the word of any dialect. */
function wordsOf(to: Dialect): WireNames {
  const table = (vocabulary: Vocabulary): ReadonlyMap<string, string> =>
    new Map(
      Object.values(DIALECTS)
        .flatMap(({ values }) => Object.entries(values[vocabulary]))
        .flatMap(([neutral, live]) => {
          const own = to.values[vocabulary][neutral] ?? neutral;
          return [neutral, live].map((any) => [any, own] as const);
        }),
    );
  return { cloud: table("cloud"), provisioner: table("provisioner"), anomalyField: table("anomalyField") };
}

const WORDS: Readonly<Record<DialectName, WireNames>> = {
  neutral: wordsOf(DIALECTS.neutral),
  live: wordsOf(DIALECTS.live),
};

function walk(schema: ZodSchema, value: unknown, to: DialectName): unknown {
  if (typeof value === "string") {
    const vocabulary = vocabularyInside(schema);
    return vocabulary === undefined ? value : word(vocabulary, value, to);
  }
  const parts = partsOf(schema);
  if (Array.isArray(value)) {
    const { element } = parts;
    return element === undefined
      ? throughInner(parts, value, to)
      : value.map((one) => walk(element, one, to));
  }
  if (typeof value !== "object" || value === null) return value;
  if (parts.members !== undefined) return renamed(schema, value, to);
  const { values } = parts;
  if (values === undefined) return throughInner(parts, value, to);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(values, one, to)]));
}

const throughInner = ({ inner }: SchemaParts, value: object, to: DialectName): unknown =>
  inner.filter(differs).reduce<unknown>((found, schema) => walk(schema, found, to), value);

function renamed(schema: ZodSchema, value: object, to: DialectName): unknown {
  const declared = membersOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const member = declared.get(key);
      if (member === undefined) return [key, one];
      const name = member.names[to];
      const inner = member.differs ? walk(member.schema, one, to) : one;
      // A member under both names keeps both; the reader handles the unknown one.
      return [name !== key && Object.hasOwn(value, name) ? key : name, inner];
    }),
  );
}

interface SchemaParts {
  readonly members?: Readonly<Record<string, ZodSchema>>;
  readonly element?: ZodSchema;
  /** The schema of a map's values. */
  readonly values?: ZodSchema;
  /** Schemas of the value itself: the inner schema of a wrapper, the options of a union. */
  readonly inner: readonly ZodSchema[];
}

/** The used members of zod's definitions. */
interface SchemaDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly element?: ZodSchema;
  readonly valueType?: ZodSchema;
  readonly innerType?: ZodSchema;
  readonly options?: readonly ZodSchema[];
  readonly left?: ZodSchema;
  readonly right?: ZodSchema;
  readonly in?: ZodSchema;
  readonly out?: ZodSchema;
  readonly getter?: () => ZodSchema;
}

function partsOf(schema: ZodSchema): SchemaParts {
  const def = schema._zod.def as unknown as SchemaDefinition; // zod has a type per kind; these are the members that any has
  if (def.type === "object") return { members: def.shape ?? {}, inner: [] };
  if (def.type === "array" && def.element !== undefined) return { element: def.element, inner: [] };
  if (def.type === "record" && def.valueType !== undefined) return { values: def.valueType, inner: [] };
  const { innerType, options = [], left, right, in: input, out } = def;
  const all = [innerType, ...options, left, right, input, out, def.getter?.()];
  return { inner: all.filter((one) => one !== undefined) };
}

function vocabularyInside(schema: ZodSchema): Vocabulary | undefined {
  const own = vocabularyOf(schema);
  if (own !== undefined) return own;
  for (const inner of partsOf(schema).inner) {
    const found = vocabularyInside(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Member {
  readonly names: Readonly<Record<DialectName, string>>;
  readonly schema: ZodSchema;
  readonly differs: boolean;
}
type Members = ReadonlyMap<string, Member>;
const MEMBERS = new WeakMap<ZodSchema, Members>();

/** Returns the members of an object's schema by each of their names. */
function membersOf(schema: ZodSchema): Members {
  const known = MEMBERS.get(schema);
  if (known !== undefined) return known;
  const made: Members = new Map(
    Object.entries(partsOf(schema).members ?? {}).flatMap(([name, of]) => {
      const names = { neutral: name, live: memberName(name, DIALECTS.live) };
      const member: Member = { names, schema: of, differs: differs(of) };
      return Object.values(names).map((written) => [written, member] as const);
    }),
  );
  MEMBERS.set(schema, made);
  return made;
}

const DIFFERS = new WeakMap<ZodSchema, boolean>();

/** Returns whether anything inside a schema differs between dialects. */
function differs(schema: ZodSchema): boolean {
  const known = DIFFERS.get(schema);
  if (known !== undefined) return known;
  DIFFERS.set(schema, false); // a recursive schema adds nothing
  const { members = {}, element, values, inner } = partsOf(schema);
  const found =
    vocabularyOf(schema) !== undefined ||
    Object.keys(members).some((name) => memberNames(name).length > 1) ||
    [...Object.values(members), element, values, ...inner].some((one) => one !== undefined && differs(one));
  DIFFERS.set(schema, found);
  return found;
}
