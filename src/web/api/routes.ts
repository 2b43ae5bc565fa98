import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { type FindReader, getReaderKey, type Reader } from "../reader.ts";
import { buildApiDocument } from "./document.ts";
import type { ApiDeps, Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";

const ROOT = "/api/v1";
const DOCUMENT = `${ROOT}/openapi.json`;
/** Requests per minute and reader. */
const PER_MINUTE = 300;

interface ApiEnv {
  readonly Variables: { readonly reader: Reader };
}

/** `GET /api/v1/…`: what pages show, for programs. A reader sees what they see on pages. */
export function createApiRoutes(deps: ApiDeps, findReader: FindReader): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const isWithinRate = createBearerLimiter(deps.clock, PER_MINUTE);
  const document = JSON.stringify(buildApiDocument(), null, 2);
  app.get(DOCUMENT, (context) =>
    context.body(`${document}\n`, 200, {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    }),
  );
  app.onError((error, context) => {
    if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
    return context.json({ message: "GitHub does not answer, so nothing is shown" }, 503, {
      "retry-after": "60",
    });
  });
  app.use(`${ROOT}/*`, etag(), async (context, next) => {
    const reader = await findReader(context.req.raw);
    if (reader === null)
      return context.json({ message: "send a token as Authorization: Bearer …, or sign in" }, 401, {
        "www-authenticate": "Bearer",
      });
    if (!isWithinRate(getReaderKey(reader)))
      return context.json({ message: "too many requests; wait a minute" }, 429, { "retry-after": "60" });
    context.set("reader", reader);
    return next();
  });
  for (const operation of OPERATIONS)
    app.get(operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), (context) => answer(context, deps, operation));
  app.all(`${ROOT}/*`, (context) => context.json(NOT_FOUND, 404));
  return app;
}

const NOT_FOUND = { message: "there is no such thing, or you cannot read its repository on GitHub" };

async function answer(context: Context<ApiEnv>, deps: ApiDeps, operation: Operation): Promise<Response> {
  const path = operation.pathShape.safeParse(context.req.param());
  const query = operation.queryShape.safeParse(context.req.query());
  if (!path.success) return context.json(NOT_FOUND, 404);
  if (!query.success) return context.json(describeProblems(query.error), 400);
  const found = await operation.answer(deps, context.var.reader, { ...path.data, ...query.data });
  if (found === null) return context.json(NOT_FOUND, 404);
  if (found.next) {
    const next = new URLSearchParams({ ...context.req.query(), ...found.next });
    context.header("link", `<${deps.publicUrl}${new URL(context.req.url).pathname}?${next}>; rel="next"`);
  }
  return context.json(operation.answerShape.parse(found.body) as object); // lists and objects of plain values
}

const describeProblems = ({ issues }: z.ZodError) => ({
  message: "the query has mistakes",
  problems: issues.map(({ path, message, ...issue }) => ({
    parameter: issue.code === "unrecognized_keys" ? issue.keys.join(", ") : path.join("."),
    message,
  })),
});
