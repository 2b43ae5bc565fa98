import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildApiDocument } from "./document.ts";

// Executed by `npm run generate`; required after each change of the API, and checked by a test.
const file = join(import.meta.dirname, "..", "..", "..", "docs", "api.openapi.json");
writeFileSync(file, `${JSON.stringify(buildApiDocument(), null, 2)}\n`);
