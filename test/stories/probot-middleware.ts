import { createServer } from "node:http";
import { createNodeMiddleware, createProbot } from "probot";
import tollgate from "../../src/index.ts";

// A server of somebody's own that has Tollgate as middleware.
const middleware = await createNodeMiddleware(tollgate, { probot: createProbot() });
createServer((request, response) => {
  void middleware(request, response, () => response.writeHead(404).end("elsewhere"));
}).listen(Number(process.env["PORT"]), process.env["HOST"]);
