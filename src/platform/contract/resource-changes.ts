import { z } from "zod";
import { StatedTags } from "../../kernel/resource-tags.ts";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { EXECUTION, executionDefaults, STAGE } from "./executions.ts";
import {
  count,
  createBooleanText,
  createIntegerText,
  identifier,
  list,
  map,
  openEnum,
  optionalText,
  orNull,
  textOrEmpty,
} from "./shapes/fields.ts";

export const CATEGORIES = [
  "planned_changes",
  "unchanged",
  "drift_changes",
  "resources",
  "data_sources",
  "outputs",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** In the order in which rows are sorted (provisioning 4.2, upload rule 3). */
export const CHANGE_TYPES = ["deleted", "added", "changed", "unchanged", "removed", "imported"] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** One row of a listing (provisioning 2.6). Its members depend on its category; attribute values are never included. */
export const ChangeRow = z
  .object({
    category: openEnum(CATEGORIES),
    ordinal: count.describe("Zero-based position within the category, stable for the life of the snapshot."),
    change: openEnum(CHANGE_TYPES).optional(),
    change_count: count.optional().describe("Changed attributes."),
    detail_bytes: count.optional().describe("Size of the attribute data."),
    drift: z.boolean().optional().describe("True exactly when the category is drift_changes."),
    mode: z.string().optional().describe("`managed` or `data`."),
    module: z.string().optional(),
    name: z.string().optional().describe("Of the resource, or of the output."),
    provider: z.string().optional(),
    resource_address: z.string().optional().describe("Fully qualified, module path included."),
    previous_address: z
      .string()
      .optional()
      .describe("Tollgate's own: the address before, of a resource that the plan moves."),
    action_reason: z
      .string()
      .optional()
      .describe("Tollgate's own: why the plan does this, in Terraform's words."),
    tags: StatedTags.optional().describe(
      "Tollgate's own: the tags or labels before and after; `unsupported`: its type carries none. Absent: not known.",
    ),
    resource_id: z.string().optional().describe("The cloud's identifier; rows of resources."),
    sensitive: z.boolean().optional().describe("Rows of outputs."),
    type: z.string().optional().describe("The provider's resource type."),
    value: z.unknown().optional().describe("Rows of outputs; withheld where sensitive."),
  })
  .meta({ id: "ChangeRow" });
export type ChangeRow = z.output<typeof ChangeRow>;

/** One attribute's change (provisioning 2.7). */
export const AttributeChange = z
  .object({
    change: openEnum(CHANGE_TYPES).optional(),
    drift: z.boolean().optional(),
    old: z.unknown().optional(),
    new: z.unknown().optional(),
    sensitive: z.boolean().optional().describe("Then the values are withheld."),
  })
  .meta({ id: "AttributeChange" });

/** A row with its attribute data (provisioning 2.7). */
export const ChangeRowDetail = ChangeRow.extend({
  attributes: map(z.unknown()),
  changes: map(AttributeChange).describe("By the name of the attribute."),
  sensitive_attributes: list(z.string()).describe("Attributes whose values are withheld."),
}).meta({ id: "ChangeRowDetail" });
export type ChangeRowDetail = z.output<typeof ChangeRowDetail>;

/** Element of an uploaded page. */
const UploadedResource = z.object({
  provider: z.string(),
  type: z.string(),
  name: z.string(),
  module: z.string(),
  mode: z.string().optional(),
  resource_address: z.string().optional(),
  changes: z.record(z.string(), AttributeChange).nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  sensitive_attributes: z.array(z.string()).nullish(),
});

/** Of `planned_changes`, `unchanged` and `drift_changes`. */
export const ChangedResource = UploadedResource.extend({
  previous_address: z.string().optional(),
  action_reason: z.string().optional(),
  tags: StatedTags.optional(),
  change: z.enum(CHANGE_TYPES),
  change_count: count.optional(),
  drift: z.boolean().optional(),
});

/** Of `resources` and `data_sources`. `resource_id` is the cloud's id. */
export const StateResource = UploadedResource.extend({
  resource_id: z.string().optional(),
  drift_status: z.string().optional(),
  drift_attributes: z.record(z.string(), z.unknown()).nullish(),
});

/** Element of an uploaded page of `outputs`. */
export const OutputElement = z.object({
  name: z.string(),
  sensitive: z.boolean().optional(),
  change: z.enum(CHANGE_TYPES).optional(),
  value: z.unknown().optional(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
});

/** The shape of one element of an uploaded page, by category. */
export const PAGE_ELEMENTS = {
  planned_changes: ChangedResource,
  unchanged: ChangedResource,
  drift_changes: ChangedResource,
  resources: StateResource,
  data_sources: StateResource,
  outputs: OutputElement,
} as const satisfies Record<Category, z.ZodType>;

/** What a plan leaves out: deferred changes and actions, or, with none, a part of the code. */
const PlanGaps = z.object({
  /** The first ones. */
  deferred: z.array(
    z.object({
      address: z.string(),
      change: z.enum(["deleted", "added", "changed", "removed", "imported", "replaced", "invoked"]),
    }),
  ),
  more: count,
});
export type PlanGaps = z.output<typeof PlanGaps>;

const PlanNotes = z.object({
  /** Null: the plan is complete. */
  incomplete: PlanGaps.nullable(),
  /** The actions that the plan invokes. `resource`, `event`: what invokes it; null: a request. */
  invocations: z.object({
    listed: z.array(
      z.object({
        address: z.string(),
        type: z.string(),
        module: z.string(),
        resource: z.string().nullable(),
        event: z.string().nullable(),
      }),
    ),
    more: count,
  }),
  failedChecks: z.object({
    listed: z.array(z.object({ address: z.string(), problems: z.array(z.string()) })),
    more: count,
  }),
});
export type PlanNotes = z.output<typeof PlanNotes>;

/** The commit marker of a snapshot, `counts.json` (provisioning 2.8). */
export const CountsMarker = z.object({
  PlannedTotal: count,
  PlannedByChangeType: z.object({ added: count, changed: count, deleted: count, unchanged: count }),
  Drift: count,
  Resources: count,
  DataSources: count,
  Outputs: count,
  /** Tollgate's own; absent: not stated. */
  PlanNotes: PlanNotes.optional(),
});
export type CountsMarker = z.output<typeof CountsMarker>;

const categoryParam = z.enum(CATEGORIES).describe("Category of resource changes.");

const STAGE_CHANGES =
  "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/{pipeline_stage_id}/resource-changes";

const uploadHeaders = z.object({ "content-digest": z.string().max(200).optional() });

/** Filters shared by the listing and the facet counts. */
const values = z.array(z.string().max(4096)).max(100).optional();
const filters = {
  provider: values.describe("Any of these providers; may be repeated, up to 100 times."),
  type: values.describe("Any of these resource types; may be repeated, up to 100 times."),
  module: values.describe("Any of these modules; may be repeated, up to 100 times."),
  search: optionalText(
    1024,
    "Part of the address or the name, in any case; no character has a special meaning. Up to 1,024 characters.",
  ),
};
const SEARCH_ALIASES = ["search_term", "searchTerm"] as const;

// A number that is not stated is null.
const stated = orNull(count);

/** A row of the non-indexed listing as read: only the members that are shown or counted, without attribute values. */
const ListedChange = z.object({
  provider: z.string().optional(),
  type: z.string().optional(),
  name: z.string().optional(),
  module: z.string().optional(),
  mode: z.string().optional(),
  resource_address: z.string().optional(),
  previous_address: z.string().optional(),
  action_reason: z.string().optional(),
  tags: StatedTags.optional(),
  resource_id: z.string().optional(),
  change: openEnum(CHANGE_TYPES).optional(),
  drift: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  changes: z.record(z.string(), AttributeChange).nullish(),
});
export type ListedChange = z.output<typeof ListedChange>;

/** Resource changes of executions (provisioning 4.2), by the name that handlers use. */
export const resourceChanges = {
  uploadChangePage: declareEndpoint({
    ...executionDefaults,
    operation: "upload-resource-changes",
    method: "POST",
    path: `${STAGE_CHANGES}/{category}/{page}`,
    summary: "Upload one page of one category; pages start at 1",
    description:
      "The body is a JSON array of at most 20,000 elements and 8 MiB: changed resources (provider, type, name, module, change; perhaps mode, resource_address, change_count, drift, changes, attributes, sensitive_attributes, and tags, which are Tollgate's own) for planned_changes, unchanged and drift_changes; resources (provider, type, name, module; perhaps mode, resource_address, resource_id, drift_status, attributes, drift_attributes, sensitive_attributes) for resources and data_sources; outputs (name; perhaps sensitive, change, value, old, new) for outputs. Nothing is visible before the counts. Pages may come in any order; the same page again takes the place of the earlier one until the counts have come, and is a conflict (409) afterwards unless it is the same to the byte. With `change`, a page of one change type of planned_changes or drift_changes: checked, counted by the commit, and not used for rows. Answers 423 while the operator has disabled pushing.",
    source: "provisioning 4.2, upload rules",
    params: z.object({ ...STAGE, category: categoryParam, page: createIntegerText(1) }),
    query: z.object({ change: z.enum(CHANGE_TYPES).optional() }),
    headers: uploadHeaders,
    sizeHeader: "content-length",
    body: "bytes",
    response: "empty",
  }),
  listChangeRows: declareEndpoint({
    ...executionDefaults,
    operation: "resource-change-rows",
    method: "GET",
    path: `${STAGE_CHANGES}/{category}/rows`,
    summary: "Rows of one category in stored order, without attribute values",
    description:
      "Ordered by change type (deleted, added, changed, unchanged, removed, imported; rows without one last), then name, then address. `totalItems` counts the rows that the filters let through. 404: the stage's resource changes are not committed; read the non-indexed listing.",
    source: "provisioning 2.6 and 4.2, read rules",
    params: z.object({ ...STAGE, category: categoryParam }),
    query: z.object({
      ...filters,
      moved: createBooleanText()
        .optional()
        .describe("Tollgate's own. True: only resources that the plan moves to another address."),
      page_size: createIntegerText(1, 100).default(25).describe("1 to 100, default 25."),
      page: createIntegerText(1).default(1).describe("Counts from 1."),
    }),
    aliases: { page_size: ["pageSize", "limit", "size"], search: SEARCH_ALIASES },
    response: z
      .object({
        page: z.int().describe("Counts from 1."),
        pageSize: count,
        rows: list(ChangeRow),
        totalItems: count.describe("Rows that the filters let through, on all pages."),
        totalPages: count,
      })
      .meta({ id: "ChangeRowList" }),
    pagination: {
      ask: { by: "page", in: "query", page: "page", size: "page_size", first: 1 },
      items: ["rows"],
      total: { in: "body", path: ["totalItems"] },
    },
  }),
  getChangeRow: declareEndpoint({
    ...executionDefaults,
    operation: "resource-change-row",
    method: "GET",
    path: `${STAGE_CHANGES}/{category}/rows/{ordinal}`,
    summary: "One row with its attributes; 404 past retention, which is final",
    description:
      "The row is named by category and ordinal, as a listing gave it. 404: the stage is not committed, there is no row with this ordinal, or its attribute data is past retention; asking again does not help.",
    source: "provisioning 2.7 and 4.2, read rule 5",
    params: z.object({ ...STAGE, category: categoryParam, ordinal: createIntegerText(0) }),
    response: ChangeRowDetail,
  }),
  uploadChangeCounts: declareEndpoint({
    ...executionDefaults,
    operation: "upload-resource-change-counts",
    method: "POST",
    path: `${STAGE_CHANGES}/counts`,
    summary: "Upload the counts; commits the snapshot and makes it visible",
    description:
      "The body is the JSON object PlannedTotal, PlannedByChangeType (added, changed, deleted, unchanged), Drift, Resources, DataSources, Outputs, all of them numbers of rows. Sent after all pages; from now on the snapshot is visible and final. The counts must be those of the uploaded rows, and pages of one change type must hold as many elements as the whole category has of it; the message of the conflict (409) names each number that differs. PlannedTotal may include the category `unchanged` or not. Tollgate's own: PlanNotes says what the plan leaves out (incomplete: deferred changes, and how many more; both empty for a plan of a part of the code; null for a complete one), which actions it invokes (invocations) and which checks failed (failedChecks). A page that is missing before the last one of a category or of a change type is a conflict (409). The same counts again change nothing; others are a conflict (409). Answers 423 while the operator has disabled pushing.",
    source: "provisioning 2.8, 3 and 4.2",
    params: z.object(STAGE),
    headers: uploadHeaders,
    sizeHeader: "content-length",
    body: "bytes",
    response: "empty",
  }),
  countChangeFilters: declareEndpoint({
    ...executionDefaults,
    operation: "resource-change-filter-counts",
    method: "GET",
    path: `${STAGE_CHANGES}/filter-counts`,
    summary: "How many rows each filter value would leave, given the other filters",
    description:
      "Each dimension is counted under the filters of the others but not under its own; `search` counts for all. Values of a map without rows are left out. The totals of the whole snapshot are those of the counts marker. 404: the stage's resource changes are not committed.",
    source: "provisioning 2.9 and 4.2, read rule 6",
    params: z.object(STAGE),
    query: z.object({
      ...filters,
      category: z
        .array(categoryParam)
        .max(100)
        .optional()
        .describe("Only rows of these categories; may be repeated."),
    }),
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
      moved: count
        .optional()
        .describe(
          "Tollgate's own: planned resources that move to another address; left out where none does.",
        ),
      modules: map(count),
      providers: map(count),
      types: map(count),
    }),
  }),
  /**
   * Reads a whole snapshot at once, for stages that are not indexed (provisioning 4.2; read rule 4 names this
   * operation without describing it).
   */
  listChanges: declareEndpoint({
    ...executionDefaults,
    operation: "resource-changes",
    method: "GET",
    path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/resource-changes",
    summary: "Non-indexed listing of resource changes",
    description:
      "All rows of one stage at once, up to 20,000; more are refused (400) and are for the paged reads. An execution with several committed stages needs `pipeline_stage_id` (400 without). `planned_changes` holds the unchanged ones too. 404: no stage of the execution is committed.",
    source: "provisioning 4.2, read rule 4",
    params: z.object(EXECUTION),
    query: z.object({
      exclude_state: createBooleanText()
        .default(false)
        .describe("True: no resources, data sources and outputs."),
      pipeline_stage_id: textOrEmpty(128, "The stage's run; empty: the only one. Up to 128 characters."),
    }),
    response: z.object({
      pipeline_execution: z.string().optional(),
      pipeline_stage: z.string().optional(),
      stage_id: z.string().optional(),
      workspace_id: z.string().optional(),
      planned_changes: list(ListedChange),
      drift_changes: list(ListedChange),
      resources: list(ListedChange),
      data_sources: list(ListedChange),
      outputs: list(ListedChange),
    }),
    extra: true,
  }),
  /**
   * Reads the commit marker, which the documents describe only as an upload (provisioning 2.8; read rule 6
   * requires clients to read its totals).
   */
  readChangeCounts: declareEndpoint({
    ...executionDefaults,
    operation: "resource-change-counts",
    method: "GET",
    path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/resource-changes/counts",
    summary: "The counts that committed a stage's resource changes",
    description: "404: the stage's resource changes are not committed.",
    source: "provisioning 2.8 and 4.2, read rule 6",
    params: z.object(EXECUTION),
    query: z.object({
      pipeline_stage_id: identifier.describe("The stage's run, 1 to 128 characters."),
    }),
    response: CountsMarker,
    extra: true,
  }),
} as const satisfies Contract;

export const {
  uploadChangePage,
  listChangeRows,
  getChangeRow,
  uploadChangeCounts,
  countChangeFilters,
  listChanges,
  readChangeCounts,
} = resourceChanges;
