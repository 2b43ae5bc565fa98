import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { parseJson } from "../../kernel/parse-json.ts";

/**
 * Returns a function that parses the JSON texts of one column. `name`: one such value, for the message of the error, which does not
 * contain the value. The function throws TollgateError `stored_value_unreadable`.
 */
export function createStoredJsonParser<T>(name: string, schema: z.ZodType<T>): (text: string) => T {
  return (text) => {
    const value = parseJson(text);
    const parsed = value === undefined ? undefined : schema.safeParse(value);
    if (parsed?.success) return parsed.data;
    throw new TollgateError("stored_value_unreadable", `${name} in the database cannot be read`, {
      hint: "The value is damaged, or a newer version of Tollgate wrote it: start that version, or restore a backup.",
      cause: parsed?.error,
    });
  };
}
