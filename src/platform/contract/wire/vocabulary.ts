import { z } from "zod";
import type { Vocabulary } from "./dialect.ts";

const MARKS = z.registry<{ readonly vocabulary: Vocabulary }>();

/** Says that a schema's values are words that differ from dialect to dialect. `.describe()` and `.meta()` keep the mark. */
export function markVocabulary<S extends z.ZodType>(schema: S, vocabulary: Vocabulary): S {
  MARKS.add(schema, { vocabulary });
  return schema;
}

/** The vocabulary that a schema's own values are from; undefined: they are the same in every dialect. */
export const vocabularyOf = (schema: z.core.$ZodType): Vocabulary | undefined =>
  MARKS.get(schema)?.vocabulary;
