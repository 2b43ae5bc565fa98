import type { z } from "zod";
import { DIALECTS, type Dialect, type DialectName, type Vocabulary } from "./dialect.ts";
import { findVocabulary } from "./vocabulary.ts";

type ZodSchema = z.core.$ZodType;

/**
 * Translates a value of a schema, in the words of any dialect, to dialect `to`. Renames only members that the
 * schema declares, and values of marked enumerations: free maps, texts and values of another shape stay
 * unchanged. Returns at once where the dialects do not differ.
 */
export function translate(schema: ZodSchema, value: unknown, to: DialectName): unknown {
  return isTranslated(schema) ? walk(schema, value, to) : value;
}

/** Returns a dialect's name of a member; `name` is the contract's. */
export function toDialectName(name: string, { firstWords }: Pick<Dialect, "firstWords">): string {
  for (const [first, other] of Object.entries(firstWords))
    if (name.startsWith(first) && !/^[a-z\d]/.test(name.slice(first.length)))
      return other + name.slice(first.length);
  return name;
}

/** Returns a dialect's names along a field's path. */
export const translateField = (field: string, dialect: Pick<Dialect, "firstWords">): string =>
  field
    .split(".")
    .map((name) => toDialectName(name, dialect))
    .join(".");

/** Returns a member's names in all dialects, the contract's first. */
export const listMemberNames = (name: string): readonly string[] => [
  ...new Set([name, ...Object.values(DIALECTS).map((dialect) => toDialectName(name, dialect))]),
];

/** Returns a dialect's word for a value of a vocabulary in any dialect. */
export const translateWord = (vocabulary: Vocabulary, value: string, to: DialectName): string =>
  WORDS[to][vocabulary].get(value) ?? value;

type WireNames = Readonly<Record<Vocabulary, ReadonlyMap<string, string>>>;

/** A dialect's own words by the word of any dialect. */
function buildWireNames(to: Dialect): WireNames {
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
  neutral: buildWireNames(DIALECTS.neutral),
  live: buildWireNames(DIALECTS.live),
};

function walk(schema: ZodSchema, value: unknown, to: DialectName): unknown {
  if (typeof value === "string") {
    const vocabulary = findInnerVocabulary(schema);
    return vocabulary === undefined ? value : translateWord(vocabulary, value, to);
  }
  const parts = getSchemaParts(schema);
  if (Array.isArray(value)) {
    const { element } = parts;
    return element === undefined
      ? translateInner(parts, value, to)
      : value.map((one) => walk(element, one, to));
  }
  if (typeof value !== "object" || value === null) return value;
  if (parts.members !== undefined) return renameMembers(schema, value, to);
  const { values } = parts;
  if (values === undefined) return translateInner(parts, value, to);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(values, one, to)]));
}

const translateInner = ({ inner }: SchemaParts, value: object, to: DialectName): unknown =>
  inner.filter(isTranslated).reduce<unknown>((found, schema) => walk(schema, found, to), value);

function renameMembers(schema: ZodSchema, value: object, to: DialectName): unknown {
  const declared = listMembers(schema);
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

function getSchemaParts(schema: ZodSchema): SchemaParts {
  const def = schema._zod.def as unknown as SchemaDefinition; // zod has a type per kind; these are the members that any has
  if (def.type === "object") return { members: def.shape ?? {}, inner: [] };
  if (def.type === "array" && def.element !== undefined) return { element: def.element, inner: [] };
  if (def.type === "record" && def.valueType !== undefined) return { values: def.valueType, inner: [] };
  const { innerType, options = [], left, right, in: input, out } = def;
  const all = [innerType, ...options, left, right, input, out, def.getter?.()];
  return { inner: all.filter((one) => one !== undefined) };
}

function findInnerVocabulary(schema: ZodSchema): Vocabulary | undefined {
  const own = findVocabulary(schema);
  if (own !== undefined) return own;
  for (const inner of getSchemaParts(schema).inner) {
    const found = findInnerVocabulary(inner);
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
function listMembers(schema: ZodSchema): Members {
  const known = MEMBERS.get(schema);
  if (known !== undefined) return known;
  const made: Members = new Map(
    Object.entries(getSchemaParts(schema).members ?? {}).flatMap(([name, of]) => {
      const names = { neutral: name, live: toDialectName(name, DIALECTS.live) };
      const member: Member = { names, schema: of, differs: isTranslated(of) };
      return Object.values(names).map((wireName) => [wireName, member] as const);
    }),
  );
  MEMBERS.set(schema, made);
  return made;
}

const DIFFERS = new WeakMap<ZodSchema, boolean>();

/** Returns whether anything inside a schema differs between dialects. */
function isTranslated(schema: ZodSchema): boolean {
  const known = DIFFERS.get(schema);
  if (known !== undefined) return known;
  DIFFERS.set(schema, false); // a recursive schema adds nothing
  const { members = {}, element, values, inner } = getSchemaParts(schema);
  const found =
    findVocabulary(schema) !== undefined ||
    Object.keys(members).some((name) => listMemberNames(name).length > 1) ||
    [...Object.values(members), element, values, ...inner].some(
      (one) => one !== undefined && isTranslated(one),
    );
  DIFFERS.set(schema, found);
  return found;
}
