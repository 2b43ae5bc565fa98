import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { World } from "../state/world.ts";

/** Pages for people. */
export function pageRoutes(app: Hono<{ Bindings: HttpBindings }>, world: World): void {
  app.get("/", (c) => c.text(`${world.pulls.all().length}`));
}
