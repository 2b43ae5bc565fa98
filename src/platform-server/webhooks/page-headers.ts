/** Where a list's page lies. */
export interface ListedPage {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** Document 1's own headers (section 8), and those that code hosting is known to send beside them. */
export function pageHeaders({ page, limit, total }: ListedPage): Readonly<Record<string, string>> {
  const pages = Math.ceil(total / limit);
  return {
    "x-total-elements": `${total}`,
    "x-page-number": `${page}`,
    "x-page-size": `${limit}`,
    "x-page": `${page}`,
    "x-per-page": `${limit}`,
    "x-total": `${total}`,
    "x-total-pages": `${pages}`,
    ...(page < pages ? { "x-next-page": `${page + 1}` } : {}),
  };
}
