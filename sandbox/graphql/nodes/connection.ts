import { createGraphqlError, type NodeFields } from "./caller-view.ts";

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
}

/** GraphQL's maximum page size. */
const MAX_PAGE_SIZE = 100;

/** Returns a page of a list by `first` and `after`, or by `last`. Only rows of the page are formatted. */
export function buildConnection<T>(
  rows: readonly T[],
  page: PageArguments & { readonly name: string },
  format: (row: T) => NodeFields,
): NodeFields {
  const { first, last, name } = page;
  const size = first ?? last ?? null;
  if (size === null) {
    const words = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    throw createGraphqlError("MISSING_PAGINATION_BOUNDARIES", words);
  }
  if (size > MAX_PAGE_SIZE) {
    const words = `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX_PAGE_SIZE} records.`;
    throw createGraphqlError("EXCESSIVE_PAGINATION", words);
  }
  const start = typeof first === "number" ? parseCursor(page.after ?? null) : Math.max(0, rows.length - size);
  const end = Math.min(rows.length, start + size);
  return {
    totalCount: rows.length,
    nodes: () => rows.slice(start, end).map(format),
    pageInfo: {
      hasNextPage: end < rows.length,
      endCursor: end > start ? Buffer.from(`cursor:${end - 1}`).toString("base64") : null,
    },
  };
}

function parseCursor(after: string | null): number {
  if (after === null) return 0;
  const index = /^cursor:(\d+)$/.exec(Buffer.from(after, "base64").toString())?.[1];
  if (index === undefined)
    throw createGraphqlError(
      "INVALID_CURSOR_ARGUMENTS",
      `\`${after}\` does not appear to be a valid cursor.`,
    );
  return Number(index) + 1;
}
