import { z } from "zod";

export type ZodSchema = z.core.$ZodType;

export interface SchemaParts {
  readonly schema: ZodSchema;
  /** Zod's name of its kind. */
  readonly type: string;
  /** Of an object. */
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  /** Of a list. */
  readonly element?: ZodSchema;
  /** Of a map: the schema of its values. */
  readonly valueType?: ZodSchema;
  /** Schemas of the value itself: the inner schema of a wrapper, the options of a union. */
  readonly inner: readonly ZodSchema[];
}

interface Definition extends Omit<SchemaParts, "schema" | "inner"> {
  readonly innerType?: ZodSchema;
  readonly options?: readonly ZodSchema[];
  readonly left?: ZodSchema;
  readonly right?: ZodSchema;
  readonly in?: ZodSchema;
  readonly out?: ZodSchema;
  readonly getter?: () => ZodSchema;
}

// Zod has a type per kind; these are the members that any has.
const getDefinition = (schema: ZodSchema): Definition => schema._zod.def as unknown as Definition;

export function getSchemaParts(schema: ZodSchema): SchemaParts {
  const { innerType, options = [], left, right, in: input, out, getter, ...own } = getDefinition(schema);
  const inner = [innerType, ...options, left, right, input, out, getter?.()];
  return { ...own, schema, inner: inner.filter((one) => one !== undefined) };
}

/**
 * Returns the parts of the schema that a raw value is read by: behind what makes it optional, has a default, or changes the value. A union is
 * not opened, nor a `catch`: no part of it is invalid by itself.
 */
export function unwrapSchema(schema: ZodSchema): SchemaParts {
  const { type, innerType, in: input, out } = getDefinition(schema);
  if (innerType !== undefined && type !== "catch") return unwrapSchema(innerType);
  if (input === undefined || out === undefined) return getSchemaParts(schema);
  return unwrapSchema(getDefinition(input).type === "transform" ? out : input);
}

/** Remembers for each schema whether something is true of it or of a part of it, as `isTrue` says with the answers for its parts. */
export function createSchemaTest(
  isTrue: (parts: SchemaParts, test: (part: ZodSchema) => boolean) => boolean,
): (schema: ZodSchema) => boolean {
  const known = new WeakMap<ZodSchema, boolean>();
  const test = (schema: ZodSchema): boolean => {
    const earlier = known.get(schema);
    if (earlier !== undefined) return earlier;
    known.set(schema, false); // a recursive schema adds nothing
    const found = isTrue(getSchemaParts(schema), test);
    known.set(schema, found);
    return found;
  };
  return test;
}

/** Enumerations whose values differ between dialects. */
export type Vocabulary = "cloud" | "provisioner" | "anomalyField";

const VOCABULARIES = z.registry<{ readonly vocabulary: Vocabulary }>();

/** Marks a schema whose values differ between dialects. The mark survives `.describe()` and `.meta()`. */
export function markVocabulary<S extends z.ZodType>(schema: S, vocabulary: Vocabulary): S {
  VOCABULARIES.add(schema, { vocabulary });
  return schema;
}

/** Returns the vocabulary of a schema's own values; undefined: they are equal in every dialect. */
export const findVocabulary = (schema: z.core.$ZodType): Vocabulary | undefined =>
  VOCABULARIES.get(schema)?.vocabulary;

const WRITTEN = z.registry<{ readonly nullable: () => boolean }>();

/**
 * Marks a leniently reading schema with what a server writes: always the member, and null only if
 * `nullable()`. The mark survives `.describe()` and `.meta()`.
 */
export function markAlwaysWritten<S extends z.ZodType>(schema: S, nullable: () => boolean): S {
  WRITTEN.add(schema, { nullable });
  return schema;
}

/** Returns what a server writes for a lenient schema; undefined: exactly what the schema reads. */
export const findWriteMark = (schema: z.core.$ZodType): { readonly nullable: () => boolean } | undefined =>
  WRITTEN.get(schema);
