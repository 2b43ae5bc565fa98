import { type NodeFields, problem } from "./view.ts";

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
}

/** GraphQL's maximum page size. */
const MAX = 100;

/** Returns a page of a list by `first` and `after`, or by `last`. Only rows of the page are formatted. */
export function connection<T>(
  rows: readonly T[],
  page: PageArguments & { readonly name: string },
  format: (row: T) => NodeFields,
): NodeFields {
  const { first, last, name } = page;
  const size = first ?? last ?? null;
  if (size === null) {
    const words = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    throw problem("MISSING_PAGINATION_BOUNDARIES", words);
  }
  if (size > MAX) {
    const words = `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX} records.`;
    throw problem("EXCESSIVE_PAGINATION", words);
  }
  const start = typeof first === "number" ? positionOf(page.after ?? null) : Math.max(0, rows.length - size);
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

function positionOf(after: string | null): number {
  if (after === null) return 0;
  const index = /^cursor:(\d+)$/.exec(Buffer.from(after, "base64").toString())?.[1];
  if (index === undefined)
    throw problem("INVALID_CURSOR_ARGUMENTS", `\`${after}\` does not appear to be a valid cursor.`);
  return Number(index) + 1;
}
