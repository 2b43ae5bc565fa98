import { type RawBuilder, sql } from "kysely";

/** A time span that ends now. */
export interface Span {
  readonly after: Date;
  readonly now: Date;
}

/**
 * Whether a time is before the span. A time in the future counts as before it: it was written before the
 * clock was set back, so its age is unknown.
 */
export const isOutside = (column: string, { after, now }: Span): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} < ${after} or ${sql.ref(column)} > ${now})`;
