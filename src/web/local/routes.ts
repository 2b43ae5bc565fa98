import { Hono } from "hono";
import type { LocalConnection } from "./access.ts";
import { type AuditDeps, createAuditRoute } from "./audit.ts";
import { createEvaluationRoute } from "./evaluation.ts";
import { createRecentNamesRoute } from "./recent-names.ts";
import { createTokenRoute, type TokenDeps } from "./tokens.ts";

/**
 * The routes for the command line of the same machine while this process has the embedded database open.
 * `key` authorizes all of them.
 */
export function createLocalRoutes(
  deps: TokenDeps & AuditDeps,
  key: string,
): Hono<{ Bindings: LocalConnection }> {
  const app = new Hono<{ Bindings: LocalConnection }>();
  for (const make of [createTokenRoute, createAuditRoute, createEvaluationRoute, createRecentNamesRoute])
    app.route("/", make(deps, key));
  return app;
}
