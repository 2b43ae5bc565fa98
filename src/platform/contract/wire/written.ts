import { z } from "zod";

const WRITTEN = z.registry<{ readonly nullable: () => boolean }>();

/**
 * Says of a schema that reads leniently what a server writes: the member is always there, and null only if `nullable()`.
 * `.describe()` and `.meta()` keep it.
 */
export function alwaysWritten<S extends z.ZodType>(schema: S, nullable: () => boolean): S {
  WRITTEN.add(schema, { nullable });
  return schema;
}

/** Returns what a server writes for a lenient schema; undefined: exactly what the schema reads. */
export const writtenAs = (schema: z.core.$ZodType): { readonly nullable: () => boolean } | undefined =>
  WRITTEN.get(schema);
