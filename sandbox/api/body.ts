import type { z } from "zod";
import { invalid } from "../state/refusal.ts";
import type { ApiCall } from "./call.ts";

/** Parses the body by a schema; refuses invalid fields with 422. */
export function parseCallBody<T>(call: Pick<ApiCall, "body">, resource: string, schema: z.ZodType<T>): T {
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

/** Returns an id of the path; -1, which no record has, when it is not a whole number. */
export const parseId = (call: Pick<ApiCall, "path">, name: string): number => {
  const text = call.path[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : -1;
};
