import type { z } from "zod";
import { invalid } from "../state/refusal.ts";
import type { ApiCall } from "./call.ts";

/** The body as a schema reads it; what does not fit is refused with 422, field by field. */
export function bodyOf<T>(call: Pick<ApiCall, "body">, resource: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(call.body ?? {});
  if (parsed.success) return parsed.data;
  throw invalid(
    ...parsed.error.issues.map((issue) => ({
      resource,
      field: issue.path.join("."),
      code:
        issue.message === "Invalid input: expected string, received undefined" ? "missing_field" : "invalid",
      message: `${issue.path.join(".")}: ${issue.message}`,
    })),
  );
}

/** A whole number in the path, or -1, which no record has. */
export const idIn = (call: Pick<ApiCall, "path">, name: string): number => {
  const text = call.path[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : -1;
};
