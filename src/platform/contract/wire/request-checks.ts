import type { z } from "zod";
import { isPlatformId } from "../../../kernel/ids.ts";
import type { Endpoint } from "../endpoint.ts";
import { IN_WORDS } from "./issue-words.ts";

/** What is wrong with one member of a request: `field` is its path below `part`. */
export interface FieldError {
  readonly part: string;
  readonly field: string;
  readonly error: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly fields: readonly FieldError[];
      /** The same in words, one line each. */
      readonly problems: readonly string[];
    };

type Values = Readonly<Record<string, unknown>>;

/** What is wrong with a body before it is sent. */
export function checkBody(endpoint: Endpoint, body: unknown): readonly FieldError[] {
  const wrong = (error: string): readonly FieldError[] => [{ part: "body", field: "", error }];
  if (endpoint.body === undefined) return body === undefined ? [] : wrong("this endpoint takes none");
  if (endpoint.body === "bytes") return body instanceof Uint8Array ? [] : wrong("expected bytes");
  return check("body", endpoint.body, body);
}

/** What is wrong with one part of a request. */
export function check(part: string, schema: z.ZodType | undefined, value: unknown): readonly FieldError[] {
  const result = schema?.safeParse(value, IN_WORDS);
  return result === undefined || result.success ? [] : fieldErrors(part, result.error);
}

/** Members that no schema declares. */
export const undeclared = (
  part: string,
  schema: z.ZodObject | undefined,
  values: Values,
): readonly FieldError[] =>
  Object.keys(values)
    .filter((name) => !Object.hasOwn(schema?.shape ?? {}, name))
    .map((field) => ({ part, field, error: "there is no such parameter" }));

/** Path parameters that could leave their place in the path, or that name another account than the caller's. */
export const unsafeIds = (
  { slashes = [] }: Endpoint,
  params: Values,
  account: string,
): readonly FieldError[] =>
  Object.entries(params).flatMap(([field, value]) => {
    if (typeof value !== "string") return [];
    const error = slashes.includes(field) ? wrongReference(value, account) : wrongId(value);
    return error === null ? [] : [{ part: "params", field, error }];
  });

const wrongId = (value: string): string | null => (isPlatformId(value) ? null : `expected ${ID_CHARACTERS}`);

function wrongReference(value: string, account: string): string | null {
  const pieces = value.split("/");
  const end = pieces.pop();
  if (end !== "+" || pieces.length === 0 || !pieces.every(isPlatformId))
    return `expected pieces of ${ID_CHARACTERS} with slashes between them, and /+ at the end`;
  return pieces[0] === account ? null : "expected this client's account as the first piece";
}

const ID_CHARACTERS = "1 to 128 of the characters A-Z a-z 0-9 _ . $ -";

export const refused = (fields: readonly FieldError[]): Checked<never> => ({
  ok: false,
  fields,
  problems: fields.map(inWords),
});

const inWords = ({ part, field, error }: FieldError): string =>
  `${field === "" ? part : `${part}.${field}`}: ${error}`;

export const fieldErrors = (part: string, error: z.ZodError): readonly FieldError[] =>
  error.issues.map(({ path, message }) => ({ part, field: path.join("."), error: message }));

/** One line for each issue: where, and what was expected. */
export const explain = (part: string, error: z.ZodError): readonly string[] =>
  fieldErrors(part, error).map(inWords);
