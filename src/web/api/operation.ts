import type { z } from "zod";
import type { PageDeps } from "../page/page.ts";
import type { Reader } from "../reader.ts";

export type ApiDeps = Pick<PageDeps, "db" | "clock" | "github" | "publicUrl">;

/** What a client sent: members of the path and of the query, as texts. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** The answer to a request. `missing`: it does not exist, or the reader may not see it. */
export type ApiAnswer =
  | {
      readonly state: "found";
      readonly body: unknown;
      readonly next: Readonly<Record<string, string>> | null;
    }
  | { readonly state: "missing" }
  | { readonly state: "invalid"; readonly problems: readonly z.core.$ZodIssue[] };

/** One operation of the API: the route, its document and its tests come from this row. */
export interface Operation {
  readonly id: string;
  /** As OpenAPI writes it, e.g. `/api/v1/pulls/{number}`. */
  readonly path: string;
  readonly summary: string;
  readonly pathShape: z.ZodObject;
  readonly queryShape: z.ZodObject;
  readonly answerShape: z.ZodType;
  /** Whether long answers have a `Link` to the next page. */
  readonly isPaged: boolean;
  run(deps: ApiDeps, reader: Reader, input: RawInput): Promise<ApiAnswer>;
}

interface Definition<Path extends z.ZodObject, Query extends z.ZodObject, Answer extends z.ZodType>
  extends Pick<Operation, "id" | "path" | "summary" | "isPaged"> {
  readonly pathShape: Path;
  readonly queryShape: Query;
  readonly answerShape: Answer;
  /** Null: it does not exist, or the reader may not see it. `next`: members of the query that lead to the next page. */
  readonly answer: (
    deps: ApiDeps,
    reader: Reader,
    input: z.output<Path> & z.output<Query>,
  ) => Promise<{
    readonly body: z.input<Answer>;
    readonly next?: Readonly<Record<string, string>> | null;
  } | null>;
}

/** Makes an operation that reads its input, and cuts its answer, by the shapes that its document states. */
export function defineOperation<
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Answer extends z.ZodType,
>({ answer, ...row }: Definition<Path, Query, Answer>): Operation {
  return {
    ...row,
    run: async (deps, reader, raw) => {
      const [path, query] = [row.pathShape.safeParse(raw.path), row.queryShape.safeParse(raw.query)];
      if (!path.success) return { state: "missing" };
      if (!query.success) return { state: "invalid", problems: query.error.issues };
      const found = await answer(deps, reader, { ...path.data, ...query.data });
      return found === null
        ? { state: "missing" }
        : { state: "found", body: row.answerShape.parse(found.body), next: found.next ?? null };
    },
  };
}
