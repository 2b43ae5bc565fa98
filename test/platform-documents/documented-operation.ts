/** What a document says of one operation. Names of parameters and members are the document's; nothing here is read from the contract. */
export interface Documented {
  /** Method and path as the document writes them, behind the document's prefix. */
  readonly at: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  /** `limit=30 status* category(a|b)!`: `!` required, `*` repeatable, `=` default, `(…)` every value that there is. */
  readonly query?: string;
  /** Header that the operation needs beside `x-api-key`. */
  readonly header?: string;
  /** Its answer carries the headers of a page (document 1, 8). */
  readonly paged?: true;
  /** Absent: no body. `bytes`: octets. */
  readonly body?: Body | "bytes";
  /** The answer with each member that the document lists, `*` for every key of a map, null for a value of any type; `null`: no content; `undefined`: not shown. */
  readonly answer?: unknown;
  /** Absent: the document names no number. */
  readonly status?: number;
  /** Numbers that the document lists, or that its named errors have. */
  readonly errors?: readonly number[];
}

export interface Body {
  readonly required: readonly string[];
  /** A body with each member that the document lists. */
  readonly example: unknown;
  /** Members whose values the document lists completely, by path. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly otherwise: string | null;
  readonly values: readonly string[] | null;
}

/** The parameters of a line such as `limit=30 status*`. */
export const parametersIn = (line = ""): readonly DocumentedParameter[] =>
  line
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => {
      const found = /^(\w+)(?:\(([^)]+)\))?(!)?(\*)?(?:=(.*))?$/.exec(word);
      if (found === null) throw new Error(`cannot read the parameter ${word}`);
      const [, name = "", values, required, repeatable, otherwise] = found;
      return {
        name,
        required: required !== undefined,
        repeatable: repeatable !== undefined,
        otherwise: otherwise ?? null,
        values: values?.split("|") ?? null,
      };
    });
