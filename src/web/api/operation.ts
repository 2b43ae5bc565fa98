import type { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import type { PageDeps } from "../page/page.ts";
import type { Reader } from "../reader.ts";

export type ApiDeps = Pick<PageDeps, "db" | "clock" | "github" | "publicUrl" | "fiscalYearStarts">;

/** One operation of the API: the route, its document and its tests come from this row. */
export interface Operation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  /** As OpenAPI writes it, e.g. `/api/v1/pulls/{number}`. */
  readonly path: string;
  readonly summary: string;
  readonly pathShape: Path;
  readonly queryShape: Query;
  /** Members of the body that it does not have are left out of the answer. */
  readonly answerShape: Body;
  /** Whether long answers have a `Link` to the next page. */
  readonly isPaged: boolean;
  /** Null: it does not exist, or the reader may not see it. `next`: members of the query that lead to the next page. */
  answer(
    deps: ApiDeps,
    reader: Reader,
    input: z.output<Path> & z.output<Query>,
  ): Promise<{
    readonly body: ValueOf<Body>;
    readonly next?: Readonly<Record<string, string>> | null;
  } | null>;
}

/** Checks what an operation answers against the shapes that its document states. */
export const defineOperation = <Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  operation: Operation<Path, Query, Body>,
): Operation => operation;
