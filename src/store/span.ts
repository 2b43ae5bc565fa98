import { type RawBuilder, sql } from "kysely";

/** A piece of time that ends now. */
export interface Span {
  readonly after: Date;
  readonly now: Date;
}

/**
 * Whether something last happened before the span. A time that is still to come was written by a clock that was set back since: as nobody
 * knows how long ago it was, it counts as long ago.
 */
export const isOutside = (column: string, { after, now }: Span): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} < ${after} or ${sql.ref(column)} > ${now})`;
