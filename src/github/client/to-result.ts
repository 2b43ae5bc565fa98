import type { z } from "zod";
import { describeForeignBody } from "./guarded-fetch.ts";
import { failed, GitHubError, type GitHubResult, requireAnswer, succeeded } from "./result.ts";

/** The validated data of an Octokit call, or why there is none. Octokit's types describe github.com: another server may answer otherwise. */
export async function toResult<T>(
  call: Promise<{ readonly data: unknown }>,
  schema: z.ZodType<T>,
): Promise<GitHubResult<T>> {
  try {
    return validateAnswer(schema, (await call).data);
  } catch (error) {
    if (error instanceof GitHubError) return { ok: false, failure: error.failure };
    throw error;
  }
}

/**
 * The validated data of an Octokit call whose failure ends the work: of each write, and of what a write depends on. A write has no other
 * outcome than its value.
 *
 * @throws GitHubError, SupersededError
 */
export const readData = async <T>(
  call: Promise<{ readonly data: unknown }>,
  schema: z.ZodType<T>,
): Promise<T> => requireAnswer(validateAnswer(schema, (await call).data));

/** Entries of a page: the most that GitHub has. */
export const PER_PAGE = 100;

/**
 * The entries of a list over all pages. Pages are requested by number: links in answers are not followed. What is beyond
 * `maxPages` is left out.
 */
export async function readPages<T>(
  request: (page: {
    readonly per_page: number;
    readonly page: number;
  }) => Promise<{ readonly data: unknown }>,
  schema: z.ZodType<readonly T[]>,
  maxPages: number,
): Promise<GitHubResult<readonly T[]>> {
  const found: T[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await toResult(request({ per_page: PER_PAGE, page }), schema);
    if (!answer.ok) return answer;
    found.push(...answer.value);
    if (answer.value.length < PER_PAGE) break;
  }
  return succeeded(found);
}

/** 200 with HTML or with half a JSON text reaches this as a string: it fits no schema and is never taken for success. */
export function validateAnswer<T>(schema: z.ZodType<T>, data: unknown): GitHubResult<T> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return succeeded(parsed.data);
  const where = parsed.error.issues[0];
  return failed(
    "malformed",
    describeForeignBody(data, 200) ??
      `an answer of another shape at ${where?.path.join(".") || "its top"}: ${where?.code}`,
  );
}
