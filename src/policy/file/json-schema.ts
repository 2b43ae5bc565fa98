import { z } from "zod";
import { PolicyFile } from "./schema.ts";

/** The published JSON Schema of a policy file, for editors: `docs/policy.schema.json`, byte for byte. */
export function policySchemaText(): string {
  const schema = z.toJSONSchema(PolicyFile, { io: "input", target: "draft-2020-12" });
  return `${JSON.stringify({ ...schema, title: "Tollgate policy file" }, null, 2)}\n`;
}
