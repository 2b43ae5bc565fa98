import { expect } from "vitest";
import type { costChanges } from "../../src/platform/contract/cost-changes.ts";
import type { executions } from "../../src/platform/contract/executions.ts";
import type { resourceChanges } from "../../src/platform/contract/resource-changes.ts";
import { setPushDisabled } from "../../src/platform-server/settings/push-disabled.ts";
import { change } from "../platform-server/stories.ts";
import type { OperationCases, Stage } from "./case.ts";
import {
  bytes,
  COUNTS,
  committed,
  EXECUTION,
  ended,
  NEVER,
  OTHER,
  PROJECT,
  READ,
  RUN,
  recorded,
  STAGE,
  uploaded,
} from "./executions-stage.ts";

const forbidUploads = async (stage: Stage) => {
  await recorded(stage);
  await setPushDisabled(stage.db, stage.account, [PROJECT]);
};
const AUDIT = {
  audit: {
    git_audit_data: {
      hash: "a".repeat(40),
      name: "main",
      repo_url: "git@github.com:acme/payments.git",
      type: "branch",
    },
  },
};
const PLANNED = { ...STAGE, category: "planned_changes" } as const;

/** Executions, their changes and their costs (provisioning 4.2). */
export const executionCases: OperationCases<typeof executions & typeof resourceChanges & typeof costChanges> =
  {
    listExecutions: {
      arrange: recorded,
      input: { params: PROJECT, query: { status: ["none", "success"], limit: 5 } },
      expect: (value) => expect(value).toMatchObject([{ pipeline_execution_id: "run-1", status: "none" }]),
      errors: {
        404: { never: "a project that nobody wrote to has no executions" },
        ...READ,
      },
      limits: [
        { at: "query.limit", good: [1, 100], bad: [0, 101, "five", -1, "1e1"] },
        { at: "query.page", good: [1, 2], bad: [0, "x"] },
        { at: "query.status", good: ["none", "failure"], bad: ["running"] },
      ],
    },
    createExecution: {
      input: { params: PROJECT, body: RUN },
      expect: (value, { account }) =>
        expect(value).toMatchObject({ ...PROJECT, ...RUN, account, status: "none" }),
      errors: {
        404: { never: "projects need not be made first" },
        409: { arrange: recorded, input: { params: PROJECT, body: { ...RUN, workspace: "other" } } },
        423: NEVER.nothingLocked,
      },
      limits: Object.keys(RUN).map((name) => ({
        at: `body.${name}`,
        good: ["x", "x".repeat(128)],
        bad: ["", "x".repeat(129), 7, null],
      })),
    },
    getExecution: {
      arrange: recorded,
      input: { params: STAGE },
      expect: (value) => expect(value).toMatchObject(RUN),
      errors: {
        404: { input: { params: OTHER } },
        ...READ,
      },
    },
    recordAuditEvent: {
      arrange: recorded,
      input: { params: STAGE, body: AUDIT },
      expect: (value) => expect(value).toBeUndefined(),
      errors: {
        404: { input: { params: OTHER, body: AUDIT } },
        409: NEVER.added,
        423: NEVER.nothingLocked,
      },
      limits: [{ at: "body.audit.git_audit_data.repo_url", good: ["", "x".repeat(2048)] }],
    },
    uploadChangePage: {
      arrange: recorded,
      input: { params: { ...PLANNED, page: 1 }, body: bytes([change("added", "web")]) },
      expect: (value) => expect(value).toBeUndefined(),
      errors: {
        400: {
          input: { params: { ...PLANNED, page: 1 }, body: bytes([{ name: "outputs have no provider" }]) },
        },
        404: { input: { params: { ...OTHER, category: "outputs", page: 1 }, body: bytes([]) } },
        409: { arrange: committed, input: { params: { ...PLANNED, page: 2 }, body: bytes([]) } },
        423: { arrange: forbidUploads, input: { params: { ...PLANNED, page: 1 }, body: bytes([]) } },
      },
      limits: [
        { at: "params.page", good: [1, 7], bad: [0, "first"] },
        { at: "params.category", good: ["unchanged", "drift_changes"], bad: ["planned"] },
        { at: "query.change", good: ["added"], bad: ["replaced"] },
        { at: "body", good: ["[]"], bad: ["", "{}", "[", "null"] },
      ],
    },
    uploadChangeCounts: {
      arrange: uploaded,
      input: { params: STAGE, body: bytes(COUNTS) },
      expect: (value) => expect(value).toBeUndefined(),
      errors: {
        400: { input: { params: STAGE, body: bytes({ ...COUNTS, Drift: -1 }) } },
        404: { input: { params: OTHER, body: bytes(COUNTS) } },
        409: { arrange: committed, input: { params: STAGE, body: bytes({ ...COUNTS, Drift: 5 }) } },
        423: { arrange: forbidUploads, input: { params: STAGE, body: bytes(COUNTS) } },
      },
      limits: [{ at: "body", bad: ["", "[]", "{}", "null"] }],
    },
    listChangeRows: {
      arrange: committed,
      input: { params: PLANNED, query: { type: ["aws_instance", "aws_vpc"], search: "WEB" } },
      expect: (value) =>
        expect(value).toMatchObject({ totalItems: 1, totalPages: 1, rows: [{ name: "web", ordinal: 1 }] }),
      errors: {
        404: { arrange: uploaded, input: { params: PLANNED }, says: "not indexed" },
        ...READ,
      },
      limits: [
        { at: "query.page_size", good: [1, 100], bad: ["ten"] },
        { at: "query.page", good: [1, 99] },
        { at: "query.search", good: ["", "x".repeat(1024)] },
      ],
    },
    getChangeRow: {
      arrange: committed,
      input: { params: { ...PLANNED, ordinal: 0 } },
      expect: (value) => expect(value).toMatchObject({ name: "db", changes: { ami: { old: "ami-1" } } }),
      errors: {
        404: { input: { params: { ...PLANNED, ordinal: 2 } } },
        ...READ,
      },
      limits: [{ at: "params.ordinal", good: [0, 1], bad: ["first", 1.5] }],
    },
    countChangeFilters: {
      arrange: committed,
      input: { params: STAGE, query: { category: ["planned_changes"] } },
      expect: (value) => expect(value).toMatchObject({ change_types: { added: 1, deleted: 1, changed: 0 } }),
      errors: {
        404: { arrange: uploaded, input: { params: STAGE }, says: "not indexed" },
        ...READ,
      },
      limits: [{ at: "query.category", good: ["outputs", ["outputs", "resources"]], bad: ["all"] }],
    },
    getCostChange: {
      arrange: ended,
      input: { params: EXECUTION },
      expect: (value) => expect(`${value.total_monthly_cost}`).toBe("120.005"),
      errors: {
        404: { arrange: recorded, input: { params: EXECUTION } },
        ...READ,
      },
      limits: [{ at: "query.pipeline_stage_id", good: ["", "stage-1"] }],
    },
    listStageCosts: {
      arrange: ended,
      input: { params: EXECUTION },
      expect: (value) => expect(value.map((one) => `${one.total_monthly_cost}`)).toEqual(["120.005"]),
      errors: {
        404: { arrange: async () => {}, input: { params: EXECUTION } },
        ...READ,
      },
    },
    listModuleCosts: {
      arrange: ended,
      input: { params: EXECUTION },
      expect: (value) => expect(Object.keys(value[0]?.modules ?? {})).toEqual(["root"]),
      errors: {
        404: { arrange: async () => {}, input: { params: EXECUTION } },
        ...READ,
      },
      limits: [{ at: "query.stack_path", good: ["", "x".repeat(1024)] }],
    },
    listChanges: {
      arrange: committed,
      input: { params: EXECUTION, query: { exclude_state: true } },
      expect: (value) => expect(value).toMatchObject({ planned_changes: [{ name: "db" }, { name: "web" }] }),
      errors: {
        404: { arrange: recorded, input: { params: EXECUTION } },
        ...READ,
      },
      limits: [{ at: "query.exclude_state", good: ["true", "false"], bad: ["yes", "1"] }],
    },
    readChangeCounts: {
      arrange: committed,
      input: { params: EXECUTION, query: { pipeline_stage_id: "stage-1" } },
      expect: (value) => expect(value).toEqual(COUNTS),
      errors: {
        404: { arrange: uploaded, input: { params: EXECUTION, query: { pipeline_stage_id: "stage-1" } } },
        ...READ,
      },
    },
  };
