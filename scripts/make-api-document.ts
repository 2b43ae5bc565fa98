import { writeFileSync } from "node:fs";
import { buildApiDocument } from "../src/web/api/document.ts";
import { ROOT } from "./targets.ts";

// Executed by `npm run generate`; required after each change of the API, and checked by a test.
writeFileSync(`${ROOT}docs/api.openapi.json`, `${JSON.stringify(buildApiDocument(), null, 2)}\n`);
