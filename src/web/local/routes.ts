import { Hono } from "hono";
import { createLocalAccess, type LocalConnection } from "./access.ts";
import { createAuditRoute } from "./audit.ts";
import { READ_EVALUATION } from "./evaluation.ts";
import { createOperationRoute, LOCAL_PATH, type LocalDeps } from "./operation.ts";
import { READ_RECENT_NAMES } from "./recent-names.ts";
import { CREATE_TOKEN, LIST_TOKENS, REVOKE_TOKEN } from "./tokens.ts";

export interface LocalRoutesOptions extends LocalDeps {
  /** Authorizes all of them. */
  readonly key: string;
  /** Called for a failure after a response began; the response then ends early. */
  readonly onError: (error: unknown) => void;
}

/** The routes for the command line of the same machine while this process has the embedded database open. */
export function createLocalRoutes({
  key,
  onError,
  ...deps
}: LocalRoutesOptions): Hono<{ Bindings: LocalConnection }> {
  const routes = [
    createOperationRoute(CREATE_TOKEN, deps),
    createOperationRoute(LIST_TOKENS, deps),
    createOperationRoute(REVOKE_TOKEN, deps),
    createOperationRoute(READ_EVALUATION, deps),
    createOperationRoute(READ_RECENT_NAMES, deps),
    createAuditRoute(deps, onError),
  ];
  const app = new Hono<{ Bindings: LocalConnection }>();
  app.use(`${LOCAL_PATH}/*`, createLocalAccess(key));
  for (const route of routes) app.route("/", route);
  return app;
}
