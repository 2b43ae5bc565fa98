import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { RateBudget, RateLimiter } from "../api/rate.ts";
import type { World } from "../state/world.ts";

/** Routes without authentication: the rate limit, and facts about GitHub. */
export function addMetaRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  options: { readonly world: World; readonly rate: RateLimiter },
): void {
  const { world, rate } = options;
  app.get("/rate_limit", (c) => {
    const token = /\s(\S+)$/.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
    const key = String(world.tokens.get(token)?.installationId ?? "nobody");
    const core = formatBudget(rate.peek(`core:${key}`));
    const graphql = formatBudget(rate.peek(`graphql:${key}`));
    return c.json({ resources: { core, graphql, search: core }, rate: core });
  });
  app.get("/meta", (c) => c.json({ verifiable_password_authentication: false, installed_version: "3.20.0" }));
}

const formatBudget = (budget: RateBudget) => ({
  limit: budget.limit,
  used: budget.used,
  remaining: Math.max(0, budget.limit - budget.used),
  reset: Math.ceil(budget.reset / 1000),
});
