import type { Database } from "../../src/wiring/database/schema.ts";
import { createReader, servePages } from "./page-server.ts";

/** The time of pages in tests: Wednesday, 25 March 2026. */
export const NOW_MS: number = Date.UTC(2026, 2, 25, 12);
export const minutesAgo = (minutes: number): Date => new Date(NOW_MS - minutes * 60_000);
export const daysAgo = (days: number): Date => new Date(NOW_MS - days * 86_400_000);

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Reads a page as somebody whom GitHub lets read these repositories. */
export async function fetchAs(
  database: Database,
  readable: readonly number[],
  path: string,
): Promise<Answer> {
  const response = await fetch((await servePages(database, createReader(readable), NOW_MS)) + path);
  return { status: response.status, body: await response.text() };
}

/** The text of a page without its tags, each run of blanks as one. */
export const readText = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/(?:\s|&nbsp;)+/g, " ")
    .trim();

/** Rows of a table's JSON file. */
export async function readRows(database: Database, readable: readonly number[], path: string) {
  const { body } = await fetchAs(database, readable, path);
  const rows: unknown = JSON.parse(body);
  return rows as readonly Record<string, string | number | null>[]; // a table's file is a list of flat records
}
