import { expect } from "vitest";
import type { governance } from "../../src/platform/contract/governance.ts";
import { evaluationImport, promptImport } from "../../src/platform-server/governance/handlers.ts";
import type { OperationCases, Stage } from "./case.ts";

const EVALUATIONS = [
  { id: "ev-1", time: Date.UTC(2025, 11, 20), cloudProvider: "CLOUD_1", status: "SUCCESS" },
  { id: "ev-2", time: Date.UTC(2025, 11, 20, 23), cloudProvider: "CLOUD_2", status: "FAILED" },
  { id: "ev-3", time: Date.UTC(2025, 11, 21), cloudProvider: "CLOUD_3", status: "FAILED" },
] as const;
const PROMPTS = [
  { id: "1", cloudProvider: "CLOUD_1", resourceType: "vm", description: "Tag them", ruleYaml: "a: 1" },
  { id: "2", cloudProvider: "CLOUD_1", resourceType: "queue" },
  { id: "3", cloudProvider: "CLOUD_2", resourceType: "disk" },
] as const;
const evaluated = (stage: Stage) => stage.import(evaluationImport, EVALUATIONS);
const prompted = (stage: Stage) => stage.import(promptImport, PROMPTS);

const filters = [{ operator: "BEFORE" as const, timestamp: Date.UTC(2025, 11, 21) }];

/** Governance overview and prompts (cost management 4.1). */
export const governanceCases: OperationCases<typeof governance> = {
  countDailyEvaluations: {
    arrange: evaluated,
    input: { query: { cloudProvider: ["CLOUD_2", "CLOUD_3"] }, body: filters },
    expect: ({ data }) => expect(data).toEqual({ "2025-12-20": { FAILED: 1 }, "2025-12-21": { FAILED: 1 } }),
    errors: {},
    limits: [
      { at: "body.0.operator", good: ["IN", "NULL"], bad: ["SOON"] },
      { at: "body.0.timestamp", good: [0], bad: [null, 0.5, undefined] },
      { at: "query.cloudProvider", good: [["CLOUD_1"]], bad: [["CLOUD_4"]] },
      { at: "body", good: [[]], bad: [{}, Array(101).fill(filters[0])] },
    ],
  },
  listPromptResources: {
    arrange: prompted,
    input: { query: { cloudProvider: "CLOUD_1" } },
    expect: ({ data }) => expect(data).toEqual(["queue", "vm"]),
    errors: {},
  },
  listPromptRules: {
    arrange: prompted,
    input: { query: { cloudProvider: "CLOUD_1", resourceType: "vm" } },
    expect: ({ data }) => expect(data).toEqual([{ description: "Tag them", ruleYaml: "a: 1" }]),
    errors: {},
    limits: [{ at: "query.resourceType", good: ["x", "x".repeat(128)] }],
  },
};
