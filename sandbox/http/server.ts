import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { ApiAnswer, Caller } from "../api/call.ts";
import type { GraphqlDocuments } from "../graphql/documents.ts";
import { createGraphql, parseOperationName } from "../graphql/graphql-handler.ts";
import type { Deliveries } from "../outbox/deliveries.ts";
import { pageRoutes } from "../page/routes.ts";
import { addMetaRoutes } from "../routes/meta.ts";
import { exchangeToken } from "../routes/oauth.ts";
import { addRegistrationRoutes } from "../routes/registration.ts";
import { routes } from "../routes/table.ts";
import { notFound } from "../state/refusal.ts";
import { answerRoute } from "./answer-route.ts";
import { finishAnswer, type WireAnswer } from "./finish-answer.ts";
import { toHonoPath, toRoutedPath } from "./paths.ts";
import {
  answerCall,
  type ExchangeDeps,
  type ExchangeOutcome,
  type IncomingCall,
  processCall,
} from "./process-call.ts";

export interface ApiOptions extends ExchangeDeps {
  readonly deliveries: Deliveries;
  readonly documents: GraphqlDocuments;
}

type Env = { Bindings: HttpBindings };
type CallHandler = (caller: Caller) => ApiAnswer | Promise<ApiAnswer>;

/** GitHub's REST and GraphQL interfaces, and the pages for people. */
export function createApi(options: ApiOptions): Hono<Env> {
  const { world, documents } = options;
  const graphql = createGraphql(world, documents);
  const app = new Hono<Env>({
    getPath: (request) => toRoutedPath(world, new URL(request.url).pathname),
  });
  for (const route of routes) {
    app.on(route.method, toHonoPath(route.path), (c) =>
      serveCall(options, c, async (caller) =>
        answerRoute({ ...options, caller, ...(await readCall(c)), path: c.req.param() }, route),
      ),
    );
  }
  app.post("/graphql", (c) =>
    serveCall(options, c, async (caller) => graphql(caller, (await readCall(c)).text)),
  );
  addMetaRoutes(app, options);
  addRegistrationRoutes(app, world);
  app.post("/login/oauth/access_token", (c) =>
    serveExchange(options, c, async (arrival) => finishAnswer(exchangeToken(world, arrival.body), arrival)),
  );
  pageRoutes(app, world);
  app.notFound((c) =>
    serveCall(options, c, () => {
      throw notFound();
    }),
  );
  app.onError((error, c) => c.json({ message: `the sandbox itself failed: ${error.message}` }, 500));
  return app;
}

const readCall = async (c: Context<Env>) => ({
  url: new URL(c.req.url),
  text: await c.req.text(),
  accept: c.req.header("accept") ?? "",
});

const serveCall = (options: ApiOptions, c: Context<Env>, handle: CallHandler): Promise<Response> =>
  serveExchange(options, c, (arrival) => answerCall(options, arrival, handle));

/** Serves a call that faults may hit and that is logged. */
async function serveExchange(
  options: ApiOptions,
  c: Context<Env>,
  answer: (arrival: IncomingCall) => Promise<WireAnswer>,
): Promise<Response> {
  const body = c.req.method === "GET" ? "" : await c.req.text();
  const arrival = {
    method: c.req.method,
    url: new URL(c.req.url),
    path: c.req.path,
    ifNoneMatch: c.req.header("if-none-match") ?? null,
    body,
    authorization: c.req.header("authorization") ?? null,
    operation: c.req.path === "/graphql" ? parseOperationName(body) : null,
  };
  const outcome = await processCall(options, arrival, () => answer(arrival));
  return toResponse(options, c.env.outgoing, outcome);
}

function toResponse(
  options: ApiOptions,
  outgoing: HttpBindings["outgoing"],
  outcome: ExchangeOutcome,
): Response {
  const { finished, sent } = outcome;
  const headers = {
    ...finished.headers,
    date: new Date(options.world.clock.now()).toUTCString(),
    "x-github-media-type": "github.v3; format=json",
    "x-github-request-id": options.world.random.uuid(),
  };
  if (sent === "whole") {
    const body = finished.body.length === 0 ? null : new Uint8Array(finished.body);
    return new Response(body, { status: finished.status, headers });
  }
  if (sent === "half") {
    const half = finished.body.subarray(0, Math.floor(finished.body.length / 2));
    outgoing.writeHead(finished.status, {
      ...headers,
      "content-length": String(finished.body.length),
    });
    outgoing.write(half, () => outgoing.destroy());
  } else {
    outgoing.destroy();
  }
  return RESPONSE_ALREADY_SENT;
}
