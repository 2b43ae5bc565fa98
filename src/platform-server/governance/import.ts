import { z } from "zod";
import { GOVERNED_CLOUDS } from "../../platform/contract/governance.ts";
import { createTokenSchema, identifier } from "../../platform/contract/shapes/fields.ts";
import { importKind } from "../area/import-kind.ts";
import { putRows } from "../area/put-rows.ts";

/** The end of the year 9999, beyond which days are written otherwise; in ms since 1970. */
const LAST_MS = 253_402_300_799_999;
const cloudProvider = createTokenSchema("cloud", GOVERNED_CLOUDS);
const KEY = { key: ["account", "id"] } as const;

/** Import of the results of governance rules. */
export const evaluationImport = importKind({
  line: z.strictObject({
    id: identifier,
    time: z.int().min(0).max(LAST_MS),
    cloudProvider,
    /** As the engine calls it: what other systems hold no list of is not ours to limit. */
    status: z.string().min(1).max(64),
  }),
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, lines) => {
    const rows = lines.map(({ id, time, cloudProvider: cloud, status }) => {
      return { account, id, time_ms: time, cloud_provider: cloud, status };
    });
    return putRows(trx, "platform_evaluations", rows, KEY);
  },
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

/** Import of resource types for which rules can be generated, and of sample rules. */
export const promptImport = importKind({
  line: PromptLine,
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, lines) => {
    const rows = lines.map((line) => ({
      account,
      id: line.id,
      cloud_provider: line.cloudProvider,
      resource_type: line.resourceType,
      description: line.description ?? null,
      rule_yaml: line.ruleYaml ?? null,
    }));
    return putRows(trx, "platform_prompts", rows, KEY);
  },
});
