import { z } from "zod";

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
