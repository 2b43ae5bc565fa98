import { z } from "zod";
import { CaseFile } from "../cases/case-schema.ts";
import { PolicyFile } from "../file/schema/schema.ts";

/** The published JSON Schema of a policy file, for editors: `docs/policy.schema.json`, byte for byte. */
export const renderPolicySchema = (): string => renderSchema(PolicyFile, "Tollgate policy file");

/** The published JSON Schema of a file of cases: `docs/policy-cases.schema.json`, byte for byte. */
export const renderCaseSchema = (): string => renderSchema(CaseFile, "Cases for a Tollgate policy");

function renderSchema(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
  return `${JSON.stringify({ ...json, title }, null, 2)}\n`;
}
