import type { Kysely } from "kysely";
import type { z } from "zod";

/**
 * Things of one kind that the platform computes elsewhere and an import has to bring, one JSON object to a line.
 * A file is taken whole or not at all: every line is checked and every key compared before the first row is written.
 */
export interface ImportKind<Tables, Row = unknown> {
  /** Name of the kind in the operation's path and, with two dashes, of its flag: `recommendations`. */
  readonly name: string;
  /** What one line holds, e.g. "one recommendation each"; for the command's help and the documents. */
  readonly about: string;
  /** One line, strict: a member that nobody knows is a problem. Limits of every text, list and amount are in here. */
  readonly line: z.ZodType<Row>;
  /** What must differ between two lines of one file; short, because the keys of a whole file are compared. */
  key(row: Row): string;
  /**
   * Adds rows of an account, or replaces those of the same key. Called with up to 1,000 rows at a time, several times in
   * one transaction; it may not begin one of its own. A row that `line` accepted must not fail here.
   */
  write(trx: Kysely<Tables>, account: string, rows: readonly Row[]): Promise<void>;
}

/** Keeps the row's type between schema, key and writing; the list of kinds forgets it. */
export const importKind = <Tables, Row>(kind: ImportKind<Tables, Row>): ImportKind<Tables, Row> => kind;
