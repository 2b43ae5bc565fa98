import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { vi } from "vitest";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs `work` and returns each statement that any part of the process sent to a database meanwhile, once, with the values of its last call.
 */
export async function captureStatements(work: () => Promise<void>): Promise<readonly Statement[]> {
  const statements = new Map<string, Statement>();
  const note = (query: unknown, values: unknown): void => {
    const { text } = typeof query === "string" ? { text: query } : (query as { text?: unknown });
    if (typeof text !== "string") return;
    statements.set(text, { text, values: Array.isArray(values) ? values : [] });
  };
  const spies = [vi.spyOn(pg.Client.prototype, "query"), vi.spyOn(PGlite.prototype, "query")];
  try {
    await work();
    for (const spy of spies) for (const [query, values] of spy.mock.calls) note(query, values);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return [...statements.values()].filter(({ text }) =>
    /^\s*(with|select|insert|update|delete)\b/i.test(text),
  );
}
