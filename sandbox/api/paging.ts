import type { ApiAnswer, ApiCall } from "./call.ts";

const DEFAULT_SIZE = 30;
const MAX_SIZE = 100;

const parseWholeNumber = (text: string | null, fallback: number): number => {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

/** Returns one page of a list by `page` and `per_page` (default 30, at most 100) with its Link header. */
export function buildPage<T>(
  call: Pick<ApiCall, "query">,
  rows: readonly T[],
  format: (page: readonly T[]) => unknown,
): ApiAnswer {
  const size = Math.min(parseWholeNumber(call.query("per_page"), DEFAULT_SIZE), MAX_SIZE);
  const page = parseWholeNumber(call.query("page"), 1);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const body = format(rows.slice((page - 1) * size, page * size));
  return { status: 200, body, pages: { page, last } };
}

/** Returns GitHub's Link header, or null for a single page. `url` is the request's URL. */
export function buildLinkHeader(url: URL, pages: { page: number; last: number }): string | null {
  if (pages.last === 1) return null;
  const link = (page: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set("page", String(page));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (pages.page > 1) links.push(link(Math.min(pages.page - 1, pages.last), "prev"));
  if (pages.page < pages.last) links.push(link(pages.page + 1, "next"), link(pages.last, "last"));
  if (pages.page > 1) links.push(link(1, "first"));
  return links.join(", ");
}
