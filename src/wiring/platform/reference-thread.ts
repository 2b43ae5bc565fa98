import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { openApiDocument } from "../../platform/openapi/document.ts";
import type { ApiDocument } from "../../web/reference/api-document.ts";
import { referencePage } from "../../web/reference/reference-page.ts";
import type { ApiReference } from "../../web/reference/reference-route.ts";
import { loadTemplates } from "../process/templates.ts";

// Runs in a separate thread; `reference.ts` starts it.
const dialect = z.enum(["neutral", "live"]).parse(workerData);
const document = openApiDocument(dialect);
const made: ApiReference = {
  json: JSON.stringify(document),
  page: referencePage(document as unknown as ApiDocument, loadTemplates()), // both types describe the same document
};
parentPort?.postMessage(made);
