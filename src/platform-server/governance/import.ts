import { z } from "zod";
import { GOVERNED_CLOUDS } from "../../platform/contract/governance.ts";
import { createTokenSchema, identifier } from "../../platform/contract/shapes/fields.ts";
import { importKind } from "../area/import-kind.ts";
import type { GovernanceTables } from "./store/prompts.ts";
import { writeEvaluations, writePrompts } from "./store/prompts.ts";

/** The end of the year 9999, beyond which days are written otherwise; in ms since 1970. */
const LAST_MS = 253_402_300_799_999;
const cloudProvider = createTokenSchema("cloud", GOVERNED_CLOUDS);

const EvaluationLine = z.strictObject({
  id: identifier,
  time: z.int().min(0).max(LAST_MS),
  cloudProvider,
  /** As the engine calls it: what other systems hold no list of is not ours to limit. */
  status: z.string().min(1).max(64),
});
type EvaluationLine = z.output<typeof EvaluationLine>;

/** Import of the results of governance rules. */
export const evaluationImport = importKind<GovernanceTables, EvaluationLine>({
  name: "evaluations",
  about: "one evaluation of a governance rule each, by its id",
  line: EvaluationLine,
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, rows) =>
    writeEvaluations(
      trx,
      account,
      rows.map(({ id, time, cloudProvider: cloud, status }) => ({
        id,
        time_ms: time,
        cloud_provider: cloud,
        status,
      })),
    ),
});

const PromptLine = z
  .strictObject({
    id: identifier,
    cloudProvider,
    resourceType: identifier,
    description: z.string().min(1).max(8192).optional(),
    ruleYaml: z.string().min(1).max(65_536).optional(),
  })
  .refine(({ description, ruleYaml }) => (description === undefined) === (ruleYaml === undefined), {
    path: ["ruleYaml"],
    message: "a sample rule has a description and a ruleYaml, a mere resource type has neither",
  });
type PromptLine = z.output<typeof PromptLine>;

/** Import of resource types for which rules can be generated, and of sample rules. */
export const promptImport = importKind<GovernanceTables, PromptLine>({
  name: "prompts",
  about: "one sample rule each, or one resource type without a sample, by its id",
  line: PromptLine,
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, rows) =>
    writePrompts(
      trx,
      account,
      rows.map((row) => ({
        id: row.id,
        cloud_provider: row.cloudProvider,
        resource_type: row.resourceType,
        description: row.description ?? null,
        rule_yaml: row.ruleYaml ?? null,
      })),
    ),
});
