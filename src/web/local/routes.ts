import { Hono } from "hono";
import { type TokenDeps, tokenRoute } from "../tokens.ts";
import { type AuditDeps, auditRoute } from "./audit.ts";
import type { Connection } from "./door.ts";
import { evaluationRoute } from "./evaluation.ts";
import { recentNamesRoute } from "./recent-names.ts";

/** What the command line of the same machine asks of the process that holds the embedded database. `key` opens all of it. */
export function localRoutes(deps: TokenDeps & AuditDeps, key: string): Hono<{ Bindings: Connection }> {
  const app = new Hono<{ Bindings: Connection }>();
  for (const make of [tokenRoute, auditRoute, evaluationRoute, recentNamesRoute])
    app.route("/", make(deps, key));
  return app;
}
