import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillWordingPage } from "../../render/custom/reference.ts";

// `npm run generate:wording`: needed again whenever what custom words may show changes; a test says so.
const page = join(import.meta.dirname, "..", "..", "..", "docs", "wording.md");
writeFileSync(page, fillWordingPage(readFileSync(page, "utf8")));
