import { z } from "zod";
import { CostChangeBody } from "./cost-changes.ts";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { EXECUTION, PROJECT } from "./executions.ts";
import { count, createIntegerText, identifier, optionalText } from "./shapes/fields.ts";
import { CODE_TRIGGERS } from "./shapes/webhook-shapes.ts";

/** What Tollgate's own operations have in common, which are not in the platform's documents. */
const own = { api: "tollgate", area: "tollgate", source: "Tollgate", status: 200, extra: true } as const;

/** `repository`: "owner/name". */
const COMMIT = {
  repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, "expected owner/name"),
  sha: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "expected a full commit id in lower case"),
};

/** Data that the platform computes and an import must provide: final status, costs, and the execution's commit. */
export const IngestBody = z.object({
  org: identifier,
  project: identifier,
  pipeline_execution_id: identifier,
  pipeline_stage_id: identifier,
  status: z.enum(["success", "failure"]).describe("How the stage ended; final."),
  cost: CostChangeBody.optional().describe("Costs of this one stage; absent: not estimated."),
  modules: z.record(z.string(), CostChangeBody).optional().describe("The same per module."),
  commit: z.object(COMMIT).optional(),
  no_changes: z
    .literal(true)
    .optional()
    .describe(
      "The sender states that there is nothing to plan for this workspace at this commit; with `success` and without costs.",
    ),
});
export type IngestBody = z.output<typeof IngestBody>;

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

const CommitOutcome = ImportOutcome.extend({
  left: count.describe("How many pages are still to be moved: commit again until it is 0"),
}).meta({ id: "CommitOutcome" });

const members = z.record(z.string(), z.unknown());
const text = z.string().max(4096);

/**
 * The properties of an event, with the members of its payload. The platform adds the trigger, and the
 * principal and scope if they are not stated.
 */
export const EventPayload = z
  .strictObject({
    trigger: z.enum(CODE_TRIGGERS).optional().describe("May repeat the event; nothing else."),
    registry: members
      .optional()
      .describe("Description and url of the registry; id and name are the platform's."),
    artifact_info: z
      .looseObject({ type: text, name: text, version: text.optional(), artifact: members.optional() })
      .optional(),
    repo: members
      .optional()
      .describe("What is known of the repository; id, path and identifier are the platform's."),
    principal: members.optional().describe("Who caused it; absent: the calling token."),
    pull_req: members.optional(),
    target_ref: members.optional(),
    ref: members.optional(),
    sha: text.optional(),
    head_commit: members.optional(),
    commits: z.array(members).max(1000).optional(),
    total_commits_count: z.int().min(0).optional(),
    commit: members.optional(),
    old_sha: text.optional(),
    forced: z.boolean().optional(),
  })
  .meta({ id: "EventPayload" });

export const EmitBody = z
  .strictObject({
    event: z.enum(CODE_TRIGGERS),
    registry_ref: optionalText(
      520,
      "Where it happened: `account/registry/+`, with org and project between them where there are any.",
    ),
    repository: identifier.optional().describe("Where it happened: identifier of a repository."),
    org: identifier.optional().describe("Organisation of the repository."),
    project: identifier.optional().describe("Project of the repository."),
    payload: EventPayload.optional(),
  })
  .meta({ id: "EmitRequest" });
export type EmitBody = z.output<typeof EmitBody>;

/** Tollgate's own operations, by the name that handlers use: see docs/architecture.md. */
export const ownOperations = {
  ingest: declareEndpoint({
    ...own,
    operation: "ingest",
    method: "POST",
    path: "/tollgate/v1/ingest",
    summary: "End a stage run with its costs per stage and module, and bind it to a commit",
    description:
      "What is said is final: the same again changes nothing, another status or other costs are a conflict (409). Costs and commits that were not said yet may be added later. Each cost change must name this stage and its workspace, and `no_changes` goes with neither costs nor a failure (400), nor with resource changes of the stage (409). 404: the stage run was not recorded.",
    body: IngestBody,
    response: z.object({ accepted: z.literal(true) }),
    errors: [404, 409],
  }),
  unbindCommit: declareEndpoint({
    ...own,
    operation: "unbind-commit",
    method: "DELETE",
    path: "/tollgate/v1/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/commits/{sha}",
    summary:
      "Remove the binding of an execution to a commit, which was recorded by mistake or by a leaked token",
    description:
      "Pull requests whose head is this commit of `repository` are evaluated again, without the execution. It is bound again when its import is repeated, or while a trusted status or check names it. 404: it is not bound to the commit.",
    params: z.object({ ...EXECUTION, sha: COMMIT.sha }),
    query: z.object({ repository: COMMIT.repository.describe("`owner/name`") }),
    response: "empty",
    status: 204,
    errors: [404],
  }),
  releaseProject: declareEndpoint({
    ...own,
    operation: "release-project",
    method: "DELETE",
    path: "/tollgate/v1/orgs/{org}/projects/{project}/owner",
    summary: "Take a project from the repository that owns it by its name",
    description:
      "The next repository of this name that uses the project owns it, with what is recorded there. 404: no repository owns it.",
    params: z.object(PROJECT),
    response: "empty",
    status: 204,
    errors: [404],
  }),
  uploadImportPage: declareEndpoint({
    ...own,
    operation: "upload-import-page",
    method: "POST",
    path: "/tollgate/v1/imports/{kind}/{upload}/pages/{page}",
    summary: "Check one page of an import and keep it aside",
    description:
      "The body is a part of a file of newline-delimited JSON, cut at a line's end: UTF-8, one object to a line, at most " +
      `${IMPORT_LIMITS.pageLines} lines, ${IMPORT_LIMITS.pageBytes} bytes, and ${IMPORT_LIMITS.lineBytes} bytes to a line. ` +
      "Blank lines count as lines and are skipped. Nothing is visible before the commit; a page may be sent again, and an " +
      "uncommitted upload is deleted after a day. Takes a token of the whole account.",
    params: z.object({ ...UPLOAD, page: createIntegerText(1, IMPORT_LIMITS.pages) }),
    query: z.object({
      first_line: createIntegerText(1, 10_000_000)
        .default(1)
        .describe("Number of the page's first line in its file, from 1"),
    }),
    body: "bytes",
    response: ImportOutcome,
    errors: [409],
  }),
  commitImport: declareEndpoint({
    ...own,
    operation: "commit-import",
    method: "POST",
    path: "/tollgate/v1/imports/{kind}/{upload}/commit",
    summary: "Import the pages of an upload, all or none",
    description:
      "Two lines with one key, in whichever pages, are reported as problems, and then nothing is imported. Otherwise the rows are " +
      "moved page by page. An answer comes after some seconds in any case: send the commit again until no page is left. An " +
      "interrupted import continues when the platform restarts.",
    params: z.object(UPLOAD),
    body: z.object({
      pages: z.int().min(1).max(IMPORT_LIMITS.pages).describe("How many pages were uploaded"),
    }),
    response: CommitOutcome,
    errors: [404, 409],
  }),
  dropImport: declareEndpoint({
    ...own,
    operation: "drop-import",
    method: "DELETE",
    path: "/tollgate/v1/imports/{kind}/{upload}",
    summary: "Forget an upload that was not committed",
    params: z.object(UPLOAD),
    response: "empty",
    status: 204,
    errors: [409],
  }),
  /** Reports an event in a registry or a repository, which a full platform detects itself. */
  emitEvent: declareEndpoint({
    ...own,
    operation: "emit",
    method: "POST",
    path: "/tollgate/v1/emit",
    summary: "Tell the webhooks of a registry or a repository of an event",
    description:
      "Give either `registry_ref` or `repository`. Each enabled webhook that asks for the event gets one delivery, which is queued before the answer; webhooks of the spaces that a repository lies in get theirs too. Needs a token of the whole account.",
    body: EmitBody,
    response: z.object({
      event: z.string(),
      deliveries: z.array(
        z.object({ delivery_id: z.int(), webhook_id: z.int(), webhook_identifier: z.string() }),
      ),
    }),
    status: 202,
  }),
} as const satisfies Contract;

export const { ingest, uploadImportPage, commitImport, dropImport, emitEvent } = ownOperations;
