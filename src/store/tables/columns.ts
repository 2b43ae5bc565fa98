import type { ColumnType } from "kysely";

/** jsonb: read as a parsed value, always written as JSON text (a JavaScript array would become a PostgreSQL array on one engine). */
export type Json<T> = ColumnType<T, string, string>;
/** timestamptz: a Date when read; a Date or ISO text when written. */
export type Time = ColumnType<Date, Date | string, Date | string>;
