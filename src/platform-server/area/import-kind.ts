import type { z } from "zod";
import type { Db } from "../tables/tables.ts";

/**
 * A kind of data that the platform computes elsewhere and that is imported, one JSON object per line. A file
 * is imported as a whole or not at all: every line is checked and every key compared before the first row is
 * written.
 */
export interface ImportKind<Row = unknown> {
  /** Schema of one line. It is strict: an unknown member is a problem. It limits every text, list and amount. */
  readonly line: z.ZodType<Row>;
  /** Returns the key of a row, which must be unique in a file. It must be short, because the keys of a whole file are compared. */
  key(row: Row): string;
  /**
   * Adds rows of an account, or replaces those with the same key. Called with up to 1,000 rows at a time, several times in one
   * transaction; it must not begin a transaction. A row that `line` accepted must not fail here.
   */
  write(trx: Db, account: string, rows: readonly Row[]): Promise<void>;
}

/** Creates a kind whose schema, key and writer have the same row type; the list of kinds does not preserve this type. */
export const importKind = <Row>(kind: ImportKind<Row>): ImportKind<Row> => kind;
