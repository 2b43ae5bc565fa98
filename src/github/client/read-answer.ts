import type { z } from "zod";
import { createGitHubFailure, type FailureKind, GitHubError, type GitHubResult } from "./result.ts";

/**
 * The validated data of an Octokit call. Octokit's types describe github.com: another server may answer otherwise.
 *
 * @throws GitHubError; of a write also SupersededError
 */
export const readData = async <T>(
  call: Promise<{ readonly data: unknown }>,
  schema: z.ZodType<T>,
): Promise<T> => parseAnswer(schema, (await call).data);

/** Entries of a page: the most that GitHub has. */
export const PER_PAGE = 100;

/**
 * The entries of a list over all pages. Pages are requested by number: links in answers are not followed. What is beyond
 * `maxPages` is left out. Throws `GitHubError`.
 */
export async function readPages<T>(
  request: (page: {
    readonly per_page: number;
    readonly page: number;
  }) => Promise<{ readonly data: unknown }>,
  schema: z.ZodType<readonly T[]>,
  maxPages: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const entries = await readData(request({ per_page: PER_PAGE, page }), schema);
    found.push(...entries);
    if (entries.length < PER_PAGE) break;
  }
  return found;
}

/** The validated body of an answer. Throws `GitHubError` with the kind `malformed`. */
export function parseAnswer<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw createMalformedError(data, parsed.error);
}

/** 200 with HTML or with half a JSON text arrives as a string: it fits no schema and is never taken for success. */
export function createMalformedError(data: unknown, { issues }: z.ZodError): GitHubError {
  const shape = `an answer of another shape at ${issues[0]?.path.join(".") || "its top"}: ${issues[0]?.code}`;
  return new GitHubError(createGitHubFailure("malformed", describeForeignBody(data, 200) ?? shape));
}

/** What a call came to, where its failure is a value: shown to somebody, or as good as another answer. */
export async function toResult<T>(read: Promise<T>): Promise<GitHubResult<T>> {
  try {
    return { ok: true, value: await read };
  } catch (error) {
    if (error instanceof GitHubError) return { ok: false, failure: error.failure };
    throw error;
  }
}

/** What a call read; null: it failed in one of these ways. Throws every other failure. */
export async function readUnless<T>(kinds: readonly FailureKind[], read: Promise<T>): Promise<T | null> {
  const answer = await toResult(read);
  if (answer.ok) return answer.value;
  if (kinds.includes(answer.failure.kind)) return null;
  throw new GitHubError(answer.failure);
}

/** What a body that is not GitHub's JSON is; null: it may be GitHub's. */
export const describeForeignBody = (body: unknown, status: number): string | null =>
  typeof body === "string"
    ? `a page or a broken text in place of GitHub's answer (status ${status}): GitHub has an outage, or a proxy answers for it`
    : null;
