import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import { count, createIntegerText } from "./shapes/fields.ts";

/** Kinds of imports, as named in the operations' paths and the command's flags. */
export const IMPORT_KINDS = [
  "recommendations",
  "anomalies",
  "evaluations",
  "billing",
  "prompts",
  "perspectives",
] as const;
export type ImportKindName = (typeof IMPORT_KINDS)[number];

/**
 * Limits of one file: pages, lines of a page, and bytes of a page and of a line. The embedded database stores a page with one statement,
 * and nothing else runs in the meantime.
 */
export const IMPORT_LIMITS = {
  pages: 4_000,
  pageLines: 250,
  pageBytes: 512 * 1024,
  lineBytes: 256 * 1024,
} as const;
/** Maximum number of listed problems of one page or one commit; further ones are only counted. */
export const MAX_LISTED_PROBLEMS = 100;

const UPLOAD = {
  kind: z.enum(IMPORT_KINDS).describe("What the lines are"),
  upload: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "expected 32 hex digits")
    .describe("Made up by the caller, once for each file: 32 hex digits in lower case"),
};

/** A problem of a line. */
export const ImportProblem = z
  .object({
    line: z.int().min(1).describe("Number of the line in the file, from 1"),
    field: z.string().describe("Path of the member, as in `tags.0.key`; empty: the whole line"),
    problem: z.string(),
  })
  .meta({ id: "ImportProblem" });
export type ImportProblem = z.output<typeof ImportProblem>;

/** The result of a page. */
export const ImportOutcome = z
  .object({
    rows: count.describe("How many lines are well (page), or were imported (commit)"),
    problems: z.array(ImportProblem).describe(`The first ${MAX_LISTED_PROBLEMS} in order of lines`),
    more: count.describe("How many further problems there are"),
  })
  .meta({ id: "ImportOutcome" });
export type ImportOutcome = z.output<typeof ImportOutcome>;

export const CommitOutcome = ImportOutcome.extend({
  left: count.describe("How many pages are still to be moved: commit again until it is 0"),
}).meta({ id: "CommitOutcome" });

export const uploadImportPage = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "upload-import-page",
  method: "POST",
  path: "/tollgate/v1/imports/{kind}/{upload}/pages/{page}",
  summary: "Check one page of an import and keep it aside",
  description:
    "The body is a part of a file of newline-delimited JSON, cut at a line's end: UTF-8, one object to a line, at most " +
    `${IMPORT_LIMITS.pageLines} lines, ${IMPORT_LIMITS.pageBytes} bytes, and ${IMPORT_LIMITS.lineBytes} bytes to a line. ` +
    "Blank lines count as lines and are passed over. Nothing is visible before the commit; a page may be sent again, and an " +
    "uncommitted upload is deleted after a day. Takes a token of the whole account.",
  source: "Tollgate",
  params: z.object({ ...UPLOAD, page: createIntegerText(1, IMPORT_LIMITS.pages) }),
  query: z.object({
    first_line: createIntegerText(1, 10_000_000)
      .default(1)
      .describe("Number of the page's first line in its file, from 1"),
  }),
  body: "bytes",
  response: ImportOutcome,
  status: 200,
  errors: [400, 409],
  extra: true,
});

export const commitImport = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "commit-import",
  method: "POST",
  path: "/tollgate/v1/imports/{kind}/{upload}/commit",
  summary: "Import the pages of an upload, all or none",
  description:
    "Two lines with one key, in whichever pages, are reported as problems, and then nothing is imported. Otherwise the rows are " +
    "moved page by page. An answer comes after some seconds in any case: send the commit again until no page is left. What is " +
    "interrupted goes on when the platform starts again.",
  source: "Tollgate",
  params: z.object(UPLOAD),
  body: z.object({
    pages: z.int().min(1).max(IMPORT_LIMITS.pages).describe("How many pages were uploaded"),
  }),
  response: CommitOutcome,
  status: 200,
  errors: [400, 404, 409],
  extra: true,
});

export const dropImport = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "drop-import",
  method: "DELETE",
  path: "/tollgate/v1/imports/{kind}/{upload}",
  summary: "Forget an upload that was not committed",
  source: "Tollgate",
  params: z.object(UPLOAD),
  response: "empty",
  status: 204,
  errors: [400, 409],
  extra: true,
});
