import { z } from "zod";
import { markAlwaysWritten, markVocabulary, type Vocabulary } from "../wire/schema-parts.ts";

/**
 * Building blocks of the contract. Several accept more when reading than their type lets a server write:
 * reading is lenient where a service may differ harmlessly, writing is exact.
 */

/** Any string. The known values are offered by name, and only they may be written. */
export type OpenEnum<T extends string> = T | (string & Record<never, never>);

/** An enumeration that accepts unknown values on read. */
export function openEnum<const T extends string>(known: readonly T[]): z.ZodType<OpenEnum<T>, T> {
  const schema: z.ZodType<string, string> = z.string().meta({ examples: [...known] });
  return schema as unknown as z.ZodType<OpenEnum<T>, T>; // every string is read; only known ones may be written
}

/** A closed enumeration with different values in each dialect. The contract and handlers use only the neutral values. */
export const createTokenSchema = <const T extends string>(
  vocabulary: Vocabulary,
  values: readonly [T, ...T[]],
): z.ZodType<T, T> => markVocabulary(z.enum(values), vocabulary);

/** Like `tokens`, but accepts unknown values on read. */
export const openTokens = <const T extends string>(
  vocabulary: Vocabulary,
  known: readonly T[],
): z.ZodType<OpenEnum<T>, T> => markVocabulary(openEnum(known), vocabulary);

const never = () => false;

/** Always written; an absent or null member is read as null, so that "not stated" differs from zero and from "". */
export function orNull<S extends z.ZodType>(schema: S): z.ZodType<z.output<S> | null, z.input<S>> {
  const read = schema.nullish().transform((value) => value ?? null);
  const marked = markAlwaysWritten(read, () => schema.safeParse(null).success);
  return marked as unknown as z.ZodType<z.output<S> | null, z.input<S>>; // narrower than what is read
}

/** Always written; an absent or null member is read as the documents' default. */
export function orElse<S extends z.ZodType>(
  schema: S,
  otherwise: z.output<S>,
): z.ZodType<z.output<S>, z.input<S>> {
  const read = schema.nullish().transform((value) => value ?? otherwise);
  return markAlwaysWritten(read, never) as unknown as z.ZodType<z.output<S>, z.input<S>>; // null is read and never written
}

/** A list that some services write as null when it is empty. */
export function list<S extends z.ZodType>(element: S): z.ZodType<z.output<S>[], readonly z.input<S>[]> {
  const read = z
    .array(element)
    .nullish()
    .transform((value) => value ?? []);
  return markAlwaysWritten(read, never) as unknown as z.ZodType<z.output<S>[], readonly z.input<S>[]>; // null is read and never written
}

/** A map that some services write as null when it is empty. */
export function map<S extends z.ZodType>(
  value: S,
): z.ZodType<Record<string, z.output<S>>, Readonly<Record<string, z.input<S>>>> {
  const read = z
    .record(z.string(), value)
    .nullish()
    .transform((entries) => entries ?? {});
  // null is read and never written
  const marked = markAlwaysWritten(read, never);
  return marked as unknown as z.ZodType<Record<string, z.output<S>>, Readonly<Record<string, z.input<S>>>>;
}

export const count = z.int().min(0);

/** Identifiers in paths and bodies: 1 to 128 characters (provisioning 1). */
export const identifier = z.string().min(1).max(128);

/** Milliseconds since 1970. */
export const milliseconds = z.int().min(0);

const describeWholeNumberIssue = ({ code, input }: z.core.$ZodRawIssue): string | undefined => {
  if (code !== "invalid_type") return undefined;
  return input === undefined ? "is missing; expected a whole number" : "expected a whole number";
};

/** A whole number in a path or query: a number for the caller, digits on the wire; any other text is refused. */
export function createIntegerText(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number, number> {
  const read = z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z.int({ error: describeWholeNumberIssue }).min(min).max(max),
  );
  return read as z.ZodType<number, number>; // callers give numbers; only a server sees the text
}

export const optionalText = (max: number, words: string) => z.string().max(max).optional().describe(words);

export const textOrEmpty = (max: number, words: string) => z.string().max(max).default("").describe(words);

/** `true` or `false` in a query. */
export function createBooleanText(): z.ZodType<boolean, boolean> {
  const words: Readonly<Record<string, boolean>> = { true: true, false: false };
  const read = z.preprocess(
    (value) => (typeof value === "string" ? (words[value] ?? value) : value),
    z.boolean(),
  );
  return read as z.ZodType<boolean, boolean>; // callers give booleans; only a server sees the text
}

/** Sources of costs (cost management 2.6): three clouds, two vendors of AI services, and others. */
export const CLOUD_PROVIDERS = [
  "CLOUD_1",
  "CLOUD_2",
  "CLOUD_3",
  "CLUSTER",
  "EXTERNAL_DATA",
  "AI_VENDOR_1",
  "AI_VENDOR_2",
  "IBM",
  "ON_PREM",
  "UNKNOWN",
] as const;
export type CloudProvider = (typeof CLOUD_PROVIDERS)[number];

/** The result of a call, which cost management states in every body (cost management 2.1). */
const COST_STATUSES = ["SUCCESS", "FAILURE", "ERROR"] as const;

/** The shape of every success of cost management: `data` is the operation's result, `correlationId` identifies the call. */
export const wrapInEnvelope = <S extends z.ZodType>(data: S) =>
  z.object({
    status: openEnum(COST_STATUSES).describe("`SUCCESS` in every answer that is not an error."),
    data,
    metaData: orNull(z.record(z.string(), z.unknown()).nullable()).describe("Always null."),
    correlationId: orNull(z.string()).describe("Names this call; quote it when asking about it."),
  });

/** `data` of an operation without a result: written as null, and read as null from any value. */
export const nothing = z.preprocess(() => null, z.null()) as z.ZodType<null, null>;

/** Creates the body around an answer, in the form of the cost-management API. A handler's context is the `call`. */
export const createSuccess = <T>(data: T, call: { readonly requestId: string }) =>
  ({ status: "SUCCESS", data, metaData: null, correlationId: call.requestId }) as const;
