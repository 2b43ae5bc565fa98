import { z } from "zod";
import type { Vocabulary } from "./dialect.ts";

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
