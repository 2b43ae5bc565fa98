import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import type { ValueOf } from "../../kernel/schemas.ts";
import { toStorableJson } from "../../kernel/storable.ts";

/** Makes the next version's value of one version's. Pure; what it returns is parsed only after the last one. */
export type Upcast = (value: unknown) => unknown;

/** One kind of value that is stored as JSON. */
export interface JsonFormat<S extends z.ZodType> {
  /** What it is, for messages. */
  readonly name: string;
  /** What an operator can do about one that cannot be read, as one sentence. */
  readonly hint: string;
  /** Of the newest version. */
  readonly schema: S;
  /** From version 1 to 2, from 2 to 3, and so on; their number tells the newest version. Absent: there is one version. */
  readonly upcasts?: readonly Upcast[];
}

const Envelope = z.strictObject({ version: z.int().min(1), value: z.unknown() });

export type StoredValue<T> =
  | { readonly state: "read"; readonly value: T }
  /** `problem`: where in it, what was found and what was expected. */
  | { readonly state: "unreadable"; readonly problem: string };

/** How values of one kind are stored and read again. */
export interface JsonColumn<T> {
  /** The value with the number of the newest version. */
  pack(value: T): object;
  /** The same as JSON text. */
  write(value: T): string;
  /** Reads what any version so far wrote. `column`: parsed JSON. */
  read(column: unknown): StoredValue<T>;
  /** The same where nothing can take the place of the value; `row`: which one it is. @throws TollgateError `stored_value_unreadable` */
  require(column: unknown, row: string): T;
}

export function jsonColumn<S extends z.ZodType>({
  name,
  hint,
  schema,
  upcasts = [],
}: JsonFormat<S>): JsonColumn<ValueOf<S>> {
  type T = ValueOf<S>;
  const newest = upcasts.length + 1;
  let parser: z.ZodType<T> | null = null;
  const pack = (value: T) => ({ version: newest, value });
  const read = (column: unknown): StoredValue<T> => {
    const envelope = Envelope.safeParse(column);
    if (!envelope.success) return unreadable(`no value with its version (${formatProblems(envelope.error)})`);
    const { version, value } = envelope.data;
    if (version > newest)
      return unreadable(`version ${version}, newer than ${newest}, which this Tollgate writes`);
    parser ??= z.compile(schema) as unknown as z.ZodType<T>; // at its first use, because compiling takes milliseconds; readonly is the type's alone
    try {
      return toStoredValue(
        parser.safeParse(upcasts.slice(version - 1).reduce((older, upcast) => upcast(older), value)),
      );
    } catch (error) {
      return unreadable(
        `a value that no version wrote (${error instanceof Error ? error.message : "unknown"})`,
      );
    }
  };
  return {
    pack,
    write: (value) => toStorableJson(pack(value)),
    read,
    require: (column, row) => {
      const found = read(column);
      if (found.state === "read") return found.value;
      throw new TollgateError("stored_value_unreadable", `${name} ${row} cannot be read: ${found.problem}`, {
        hint,
      });
    },
  };
}

const toStoredValue = <T>({ data, error }: z.ZodSafeParseResult<T>): StoredValue<T> =>
  error === undefined ? { state: "read", value: data } : unreadable(formatProblems(error));

const unreadable = (problem: string) => ({ state: "unreadable", problem }) as const;

/** Most problems in a message. */
const PROBLEMS = 3;

const formatProblems = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, PROBLEMS)
    .map(({ path, message }) => `${path.join(".")}: ${message}`)
    .join("; ");
