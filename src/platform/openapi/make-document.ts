import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "./document.ts";

// Executed by `npm run generate`; required after each change of the contract, and checked by a test.
const file = join(import.meta.dirname, "..", "..", "..", "docs", "openapi.json");
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
