import { Hono } from "hono";
import type { LocalConnection } from "./access.ts";
import { type AuditDeps, auditRoute } from "./audit.ts";
import { evaluationRoute } from "./evaluation.ts";
import { recentNamesRoute } from "./recent-names.ts";
import { type TokenDeps, tokenRoute } from "./tokens.ts";

/**
 * The routes for the command line of the same machine while this process has the embedded database open.
 * `key` authorizes all of them.
 */
export function localRoutes(deps: TokenDeps & AuditDeps, key: string): Hono<{ Bindings: LocalConnection }> {
  const app = new Hono<{ Bindings: LocalConnection }>();
  for (const make of [tokenRoute, auditRoute, evaluationRoute, recentNamesRoute])
    app.route("/", make(deps, key));
  return app;
}
