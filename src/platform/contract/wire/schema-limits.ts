import type { z } from "zod";

type ZodSchema = z.core.$ZodType;

/** The used members of zod's definitions of wrappers and objects. */
interface LimitDefinition {
  readonly innerType?: ZodSchema;
  readonly in?: ZodSchema;
  readonly out?: ZodSchema;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly checks?: readonly z.core.$ZodCheck[];
}

const getLimitDefinition = (schema: ZodSchema): LimitDefinition =>
  schema._zod.def as unknown as LimitDefinition; // members that any kind may have

/** Returns the maximum of a schema; null: no limit. */
export function findMaximum(schema: ZodSchema): number | null {
  const { checks = [], innerType, in: input, out } = getLimitDefinition(schema);
  const limits = checks.map(toLimit).filter((limit) => limit < Number.MAX_SAFE_INTEGER);
  if (limits.length > 0) return Math.min(...limits);
  for (const inner of [innerType, input, out]) {
    const found = inner === undefined ? null : findMaximum(inner);
    if (found !== null) return found;
  }
  return null;
}

function toLimit(check: z.core.$ZodCheck): number {
  const { check: kind, value } = check._zod.def as { check: string; value?: unknown }; // members that any check may have
  return kind === "less_than" && typeof value === "number" ? value : Number.POSITIVE_INFINITY;
}

/** Returns the schema of the member at a path; null when it does not exist. */
export function findMember(schema: ZodSchema, path: readonly string[]): ZodSchema | null {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { shape, innerType, in: input, out } = getLimitDefinition(schema);
  const member = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (member !== undefined) return findMember(member, rest);
  for (const inner of [innerType, input, out]) {
    const found = inner === undefined ? null : findMember(inner, path);
    if (found !== null) return found;
  }
  return null;
}
