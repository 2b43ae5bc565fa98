import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { authenticateCaller } from "../api/authenticate.ts";
import { type ApiAnswer, ApiRefusal, type Caller, notFound } from "../api/call.ts";
import { answerGraphql, type GraphqlDocuments, parseOperationName } from "../graphql/execution.ts";
import { addRegistrationRoutes } from "../page/registration.ts";
import { addPageRoutes, addSharedPageRoutes } from "../page/site.ts";
import { exchangeToken } from "../resources/user-tokens.ts";
import type { Outbox } from "../state/outbox.ts";
import type { World } from "../state/world.ts";
import { buildMessage, type CallOutcome, type Faults } from "./faults.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { RequestLog } from "./request-log.ts";
import { answerRoute, ROUTES, toHonoPath, toRoutedPath } from "./rest.ts";

type Env = { Bindings: HttpBindings };

export interface ApiOptions {
  readonly world: World;
  readonly deliveries: Outbox;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly hourlyLimit: number;
  readonly documents: GraphqlDocuments;
}

interface Server extends ApiOptions {
  readonly rate: RateLimiter;
}

/** GitHub's REST and GraphQL interfaces, and the pages for people. */
export function createApi(options: ApiOptions): Hono<Env> {
  const { world, deliveries, documents } = options;
  const server = { ...options, rate: new RateLimiter(world.clock, options.hourlyLimit) };
  const app = new Hono<Env>({
    getPath: (request) => toRoutedPath(world, new URL(request.url).pathname),
  });
  addSharedPageRoutes(app, world);
  for (const route of ROUTES)
    app.on(route.method, toHonoPath(route.path), (c) =>
      serveCall(server, c, (caller, { url, body }) => {
        const query = (name: string) => url.searchParams.get(name);
        const call = { world, deliveries, caller, path: c.req.param(), query, body: parseJson(body) };
        return answerRoute(call, route, url);
      }),
    );
  app.post("/graphql", (c) =>
    serveCall(server, c, (caller, { body }) => answerGraphql(world, documents, caller, body)),
  );
  app.get("/rate_limit", (c) => {
    const id = findInstallationId(world, c.req.header("authorization") ?? "") ?? "nobody";
    const core = server.rate.format(`core:${id}`);
    return c.json({
      resources: { core, graphql: server.rate.format(`graphql:${id}`), search: core },
      rate: core,
    });
  });
  app.post("/login/oauth/access_token", (c) =>
    serve(server, c, async (arrival) => finishAnswer(exchangeToken(world, arrival.body))),
  );
  addRegistrationRoutes(app, world);
  addPageRoutes(app, world);
  app.notFound((c) =>
    serveCall(server, c, () => {
      throw notFound();
    }),
  );
  app.onError((error, c) => c.json({ message: `the sandbox itself failed: ${error.message}` }, 500));
  return app;
}

/** An incoming request. */
interface Arrival {
  readonly method: string;
  readonly url: URL;
  /** The path that routes match. */
  readonly path: string;
  /** Empty for a read. */
  readonly body: string;
  readonly authorization: string;
}

/** An encoded answer. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type CallHandler = (caller: Caller, arrival: Arrival) => ApiAnswer | Promise<ApiAnswer>;

/** Serves a call with authentication and the hourly budget. */
const serveCall = (server: Server, c: Context<Env>, handle: CallHandler): Promise<Response> =>
  serve(server, c, (arrival) => answerCall(server, arrival, handle));

/** Serves a request that faults may hit and that is logged. */
async function serve(
  server: Server,
  c: Context<Env>,
  answer: (arrival: Arrival) => Promise<WireAnswer>,
): Promise<Response> {
  const { world, faults, log } = server;
  const arrival = await readArrival(c);
  const { method, body } = arrival;
  const at = world.clock.now();
  const started = performance.now();
  const installationId = findInstallationId(world, arrival.authorization);
  const path = `${arrival.path}${arrival.url.search}`;
  const outcome = await faults.answer(
    { method, path, body, installationId },
    () => answer(arrival),
    finishAnswer,
  );
  log.write({
    method,
    path,
    status: outcome.sent === "nothing" ? 0 : outcome.answer.status,
    appId: installationId === null ? null : world.installations.require(installationId).appId,
    installationId,
    at,
    ms: performance.now() - started,
    operation: arrival.path === "/graphql" ? parseOperationName(body) : null,
  });
  return toResponse(world, c.env.outgoing, outcome);
}

async function readArrival({ req }: Context<Env>): Promise<Arrival> {
  const { method, path } = req;
  return {
    method,
    url: new URL(req.url),
    path,
    body: method === "GET" ? "" : await req.text(),
    authorization: req.header("authorization") ?? "",
  };
}

function findInstallationId(world: World, authorization: string): number | null {
  const token = /\s(\S+)$/.exec(authorization)?.[1] ?? "";
  return world.installations.get(world.tokens.get(token)?.installationId ?? -1)?.id ?? null;
}

/** Answers a call without faults. A refusal is an answer too; any other thrown error is a bug and becomes 500. */
async function answerCall(
  { world, rate }: Server,
  arrival: Arrival,
  handle: CallHandler,
): Promise<WireAnswer> {
  let key: string | null = null;
  let answer: ApiAnswer;
  try {
    const caller = authenticateCaller(world, arrival.authorization);
    key = `${arrival.path === "/graphql" ? "graphql" : "core"}:${getCallerKey(caller)}`;
    rate.count(key);
    if (rate.isSpent(key)) throw new ApiRefusal(403, "API rate limit exceeded for installation.");
    answer = await handle(caller, arrival);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const accepted: Record<string, string> =
      error.accepted === "" ? {} : { "x-accepted-github-permissions": error.accepted };
    answer = buildMessage(error.status, error.message, accepted, error.complaints);
  }
  const finished = finishAnswer(answer);
  if (key === null) return finished;
  return { ...finished, headers: { ...finished.headers, ...rate.formatHeaders(key) } };
}

const getCallerKey = (caller: Caller): string =>
  caller.kind === "installation"
    ? String(caller.installation.id)
    : caller.kind === "user"
      ? `user-${caller.user.id}`
      : `app-${caller.app.id}`;

function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiRefusal(400, "Problems parsing JSON");
  }
}

/** Adds body and type. */
function finishAnswer({ status, body: content, headers }: ApiAnswer): WireAnswer {
  if (Buffer.isBuffer(content)) return { status, headers: { ...headers }, body: content };
  const body = content === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(content));
  const type = body.length > 0 ? { "content-type": "application/json; charset=utf-8" } : {};
  return { status, headers: { ...type, ...headers }, body };
}

function toResponse(
  world: World,
  outgoing: HttpBindings["outgoing"],
  { answer, sent }: CallOutcome<WireAnswer>,
): Response {
  const { status, body } = answer;
  const headers = {
    ...answer.headers,
    date: new Date(world.clock.now()).toUTCString(),
  };
  if (sent === "whole")
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
  if (sent === "half") {
    outgoing.writeHead(status, { ...headers, "content-length": String(body.length) });
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  } else {
    outgoing.destroy();
  }
  return RESPONSE_ALREADY_SENT;
}
