import type { Endpoint } from "../../platform/contract/endpoint.ts";
import {
  getAtPath,
  getPageHeaders,
  type PageFigure,
  type Pagination,
} from "../../platform/contract/shapes/pagination.ts";

/**
 * Returns the headers of an answer that is a piece of a list; none for other answers. `input` is the request as its endpoint reads
 * it, `total` what the handler counted where the body does not say it.
 */
export function buildPageHeaders(
  { pagination }: Pick<Endpoint, "pagination">,
  input: unknown,
  reply: { readonly body: unknown; readonly total?: number },
): Readonly<Record<string, string>> {
  if (pagination === undefined) return {};
  const stated = pagination.total.in === "body" ? getAtPath(reply.body, pagination.total.path) : reply.total;
  const total = readNumber(stated, 0);
  const { number, size, first } = readPage(pagination, input);
  const pages = Math.ceil(total / size);
  const next = number - first + 1 < pages ? number + 1 : null;
  const figures: Readonly<Record<PageFigure, number | null>> = { total, page: number, size, pages, next };
  return Object.fromEntries(
    Object.entries(getPageHeaders(pagination)).flatMap(([name, figure]) => {
      const value = figures[figure];
      return value === null ? [] : [[name, `${value}`]];
    }),
  );
}

/** The requested page's number and size, and the number of the first page. */
function readPage({ ask }: Pagination, input: unknown) {
  const part = getAtPath(input, [ask.in]);
  if (ask.by === "page") {
    const number = readNumber(getAtPath(part, [ask.page]), ask.first);
    return { number, size: readNumber(getAtPath(part, [ask.size]), 1), first: ask.first };
  }
  const size = readNumber(getAtPath(part, ask.limit), ask.defaultLimit);
  // Document 1 counts pages from 1.
  return { number: Math.floor(readNumber(getAtPath(part, ask.offset), 0) / size) + 1, size, first: 1 };
}

const readNumber = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;
