import { expect } from "vitest";
import {
  commitImport,
  ingest,
  type ownOperations,
  uploadImportPage,
} from "../../src/platform/contract/own-operations.ts";
import { claimProject, findProjectOwner } from "../../src/store/bindings.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { cost } from "../platform-server/stories.ts";
import type { OperationCases, Stage } from "./case.ts";
import { EXECUTION, ended, PROJECT, recorded, STAGE } from "./executions-stage.ts";

const UPLOAD = { kind: "evaluations", upload: "0123456789abcdef0123456789abcdef" } as const;
const OTHER_UPLOAD = { ...UPLOAD, upload: "f".repeat(32) };
const line = (id: string, more: object = {}) =>
  `${JSON.stringify({ id, time: 1_767_225_600_000, cloudProvider: "CLOUD_1", status: "SUCCESS", ...more })}\n`;
const page = (...lines: readonly string[]) => new TextEncoder().encode(lines.join(""));
const sendPage = (stage: Stage, number: number, body: Uint8Array) =>
  stage.call(uploadImportPage, { params: { ...UPLOAD, page: number }, query: { first_line: number }, body });
const begun = (stage: Stage) => sendPage(stage, 1, page(line("e-1"), line("e-2")));
const imported = async (stage: Stage) => {
  await begun(stage);
  await stage.call(commitImport, { params: UPLOAD, body: { pages: 1 } });
};
const ENDS = { ...STAGE, status: "success", cost: cost("120.005") } as const;
const SHA = "a".repeat(40);
const knowsRepository = ({ db }: Stage) =>
  saveRepository(
    db,
    { repository_id: 7, installation_id: 1, owner_id: 1, owner_login: "acme", name: "Payments" },
    new Date(0),
  );
const bound = async (stage: Stage) => {
  await recorded(stage);
  await knowsRepository(stage);
  await stage.call(ingest, { body: { ...ENDS, commit: { repository: "acme/payments", sha: SHA } } });
};
const UNBINDS = { params: { ...EXECUTION, sha: SHA }, query: { repository: "acme/payments" } } as const;
const uploads = [
  { at: "params.upload", good: ["a".repeat(32)], bad: ["a".repeat(31), "A".repeat(32), "a".repeat(33)] },
];

/** What is not in the documents, but for webhooks. */
export const ourCases: OperationCases<Omit<typeof ownOperations, "emitEvent">> = {
  ingest: {
    arrange: recorded,
    input: { body: ENDS },
    expect: (value) => expect(value).toEqual({ accepted: true }),
    errors: {
      400: { input: { body: { ...ENDS, cost: cost("1", { workspace_id: "other" }) } }, says: "workspace_id" },
      404: { input: { body: { ...ENDS, pipeline_stage_id: "stage-2" } } },
      409: { arrange: ended, input: { body: { ...ENDS, status: "failure" } }, says: "final" },
    },
    limits: [
      { at: "body.status", good: ["success", "failure"], bad: ["none", "running"] },
      { at: "body.no_changes", bad: [true, false, "true"] }, // beside costs
      {
        at: "body.commit",
        bad: [
          { repository: "acme", sha: "a".repeat(40) },
          { repository: "acme/pay", sha: "A" },
        ],
      },
    ],
  },
  unbindCommit: {
    arrange: bound,
    input: UNBINDS,
    expect: async (value, stage) => {
      expect(value).toBeUndefined();
      const rows = stage.db.selectFrom("platform_commits").select("sha").where("account", "=", stage.account);
      expect(await rows.execute()).toEqual([]);
    },
    errors: {
      404: {
        arrange: async (stage) => {
          await recorded(stage);
          await knowsRepository(stage);
        },
        input: UNBINDS,
        says: "not bound",
      },
    },
    limits: [
      { at: "params.sha", bad: ["a".repeat(39), "A".repeat(40)] },
      { at: "query.repository", good: ["Acme/Payments"], bad: ["acme", ""] },
    ],
  },
  releaseProject: {
    arrange: (stage) => claimProject(stage.db, { ...PROJECT, account: stage.account }, 7),
    input: { params: PROJECT },
    expect: async (value, stage) => {
      expect(value).toBeUndefined();
      expect(await findProjectOwner(stage.db, { ...PROJECT, account: stage.account })).toBeNull();
    },
    errors: { 404: { arrange: recorded, input: { params: PROJECT }, says: "no repository owns" } },
  },
  uploadImportPage: {
    input: {
      params: { ...UPLOAD, page: 1 },
      query: { first_line: 7 },
      body: page(line("e-1"), "\n", line("e-2", { time: -1 })),
    },
    expect: (value) =>
      expect(value).toMatchObject({ rows: 1, problems: [{ line: 9, field: "time" }], more: 0 }),
    errors: {
      400: { input: { params: { ...UPLOAD, page: 1 }, body: page("\n".repeat(251)) }, says: "250 lines" },
      409: { arrange: imported, input: { params: { ...UPLOAD, page: 1 }, body: page(line("e-1")) } },
    },
    limits: [
      ...uploads,
      { at: "params.page", good: [1, 4_000] },
      { at: "query.first_line", good: [1, 10_000_000] },
    ],
  },
  commitImport: {
    arrange: begun,
    input: { params: UPLOAD, body: { pages: 1 } },
    expect: async (value, stage) => {
      expect(value).toEqual({ rows: 2, problems: [], more: 0, left: 0 });
      const rows = stage.db
        .selectFrom("platform_evaluations")
        .select("id")
        .where("account", "=", stage.account);
      expect((await rows.orderBy("id").execute()).map(({ id }) => id)).toEqual(["e-1", "e-2"]);
    },
    errors: {
      404: { input: { params: OTHER_UPLOAD, body: { pages: 1 } } },
      409: { input: { params: UPLOAD, body: { pages: 2 } }, says: "1 to 2" },
    },
    limits: [{ at: "body.pages", bad: [1.5] }],
  },
  dropImport: {
    arrange: begun,
    input: { params: UPLOAD },
    expect: async (value, stage) => {
      expect(value).toBeUndefined();
      const rows = stage.db
        .selectFrom("platform_import_pages")
        .select("page")
        .where("account", "=", stage.account);
      expect(await rows.execute()).toEqual([]);
    },
    errors: {
      409: { arrange: imported, input: { params: UPLOAD } },
    },
    limits: uploads,
  },
};
