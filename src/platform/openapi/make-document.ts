import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "./document.ts";

// Run by `npm run generate`, which is needed after each change of the contract; a test checks it.
const file = join(import.meta.dirname, "..", "..", "..", "docs", "openapi.json");
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
