import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { openApiDocument } from "../../platform/openapi/document.ts";
import type { ApiDocument } from "../../web/reference/api-document.ts";
import { renderReferencePage } from "../../web/reference/reference-page.ts";
import type { ApiReference } from "../../web/reference/reference-route.ts";
import { loadTemplates } from "../process/templates.ts";

// Runs in a separate thread; `reference.ts` starts it.
const dialect = z.enum(["neutral", "live"]).parse(workerData);
const document = openApiDocument(dialect);
const reference: ApiReference = {
  json: JSON.stringify(document),
  page: renderReferencePage(document as unknown as ApiDocument, loadTemplates()), // both types describe the same document
};
parentPort?.postMessage(reference);
