import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "./document.ts";

// `npm run generate`: needed again whenever the contract changes; a test says so.
const file = join(import.meta.dirname, "..", "..", "..", "docs", "openapi.json");
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
