import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fillPage, renderCaseSchema, renderPolicySchema } from "./policy-reference.ts";

// Executed by `npm run generate:policy`. A test fails when the policy language or an example changed since.
const docs = join(import.meta.dirname, "..", "docs");
writeFileSync(join(docs, "policy.schema.json"), renderPolicySchema());
writeFileSync(join(docs, "policy-cases.schema.json"), renderCaseSchema());
const recipes = readdirSync(join(docs, "recipes")).map((name) => join(docs, "recipes", name));
for (const page of [join(docs, "policy-reference.md"), ...recipes]) {
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    fillPage(text, (path) => readFileSync(join(dirname(page), path), "utf8")),
  );
}
