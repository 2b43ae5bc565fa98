import { z } from "zod";
import { CATEGORIES, CHANGE_TYPES, ChangeRow, ChangeRowDetail } from "./change-snapshot.ts";
import { endpoint } from "./endpoint.ts";
import { EXECUTION_ERRORS, STAGE } from "./executions.ts";
import { count, integerText, list, map, orNull } from "./fields.ts";

const categoryParam = z.enum(CATEGORIES);

const STAGE_CHANGES =
  "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/{pipeline_stage_id}/resource-changes";

const uploadHeaders = z.object({ "content-digest": z.string().max(200).optional() });

export const uploadChangePage = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "upload-resource-changes",
  method: "POST",
  path: `${STAGE_CHANGES}/{category}/{page}`,
  summary: "Upload one page of one category; pages start at 1",
  source: "provisioning 4.2, upload rules",
  params: z.object({ ...STAGE, category: categoryParam, page: integerText(1) }),
  query: z.object({ change: z.enum(CHANGE_TYPES).optional() }),
  headers: uploadHeaders,
  sizeHeader: "content-length",
  body: "bytes",
  response: "empty",
  status: 200,
  errors: EXECUTION_ERRORS,
});

export const uploadChangeCounts = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "upload-resource-change-counts",
  method: "POST",
  path: `${STAGE_CHANGES}/counts`,
  summary: "Upload the counts; commits the snapshot and makes it visible",
  source: "provisioning 2.8, 3 and 4.2",
  params: z.object(STAGE),
  headers: uploadHeaders,
  sizeHeader: "content-length",
  body: "bytes",
  response: "empty",
  status: 200,
  errors: EXECUTION_ERRORS,
});

/** Filters shared by the listing and the facet counts. */
const filters = {
  provider: z.array(z.string()).optional(),
  type: z.array(z.string()).optional(),
  module: z.array(z.string()).optional(),
  search: z.string().max(1024).optional(),
};
const SEARCH_ALIASES = ["search_term", "searchTerm"] as const;

export const listChangeRows = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "resource-change-rows",
  method: "GET",
  path: `${STAGE_CHANGES}/{category}/rows`,
  summary: "Rows of one category in stored order, without attribute values",
  source: "provisioning 2.6 and 4.2, read rules",
  params: z.object({ ...STAGE, category: categoryParam }),
  query: z.object({
    ...filters,
    page_size: integerText(1, 100).default(25),
    page: integerText(1).default(1),
  }),
  aliases: { page_size: ["pageSize", "limit", "size"], search: SEARCH_ALIASES },
  response: z.object({
    page: z.int(),
    pageSize: count,
    rows: list(ChangeRow),
    totalItems: count,
    totalPages: count,
  }),
  status: 200,
  errors: EXECUTION_ERRORS,
  pagination: {
    ask: { by: "page", in: "query", page: "page", size: "page_size", first: 1 },
    items: ["rows"],
    total: { in: "body", path: ["totalItems"] },
  },
});

export const getChangeRow = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "resource-change-row",
  method: "GET",
  path: `${STAGE_CHANGES}/{category}/rows/{ordinal}`,
  summary: "One row with its attributes; 404 past retention, which is final",
  source: "provisioning 2.7 and 4.2, read rule 5",
  params: z.object({ ...STAGE, category: categoryParam, ordinal: integerText(0) }),
  response: ChangeRowDetail,
  status: 200,
  errors: EXECUTION_ERRORS,
});

// A number that is not stated is null.
const stated = orNull(count);

export const countChangeFilters = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "resource-change-filter-counts",
  method: "GET",
  path: `${STAGE_CHANGES}/filter-counts`,
  summary: "How many rows each filter value would leave, given the other filters",
  source: "provisioning 2.9 and 4.2, read rule 6",
  params: z.object(STAGE),
  query: z.object({ ...filters, category: z.array(categoryParam).optional() }),
  aliases: { search: SEARCH_ALIASES },
  response: z.object({
    categories: z.object({
      drift_changes: stated,
      outputs: stated,
      planned_changes: stated,
      resources: stated,
    }),
    change_types: z.object({
      added: stated,
      changed: stated,
      deleted: stated,
      imported: stated,
      removed: stated,
      unchanged: stated,
    }),
    modules: map(count),
    providers: map(count),
    types: map(count),
  }),
  status: 200,
  errors: EXECUTION_ERRORS,
});
