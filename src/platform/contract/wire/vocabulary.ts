import { z } from "zod";
import type { Vocabulary } from "./dialect.ts";

const MARKS = z.registry<{ readonly vocabulary: Vocabulary }>();

/** Marks a schema whose values differ between dialects. The mark survives `.describe()` and `.meta()`. */
export function markVocabulary<S extends z.ZodType>(schema: S, vocabulary: Vocabulary): S {
  MARKS.add(schema, { vocabulary });
  return schema;
}

/** Returns the vocabulary of a schema's own values; undefined: they are equal in every dialect. */
export const findVocabulary = (schema: z.core.$ZodType): Vocabulary | undefined =>
  MARKS.get(schema)?.vocabulary;
