import { Hono } from "hono";

/** `GET /healthz`: 200 while the process can reach its database, 503 otherwise. Says nothing else. */
export function healthRoute(reachable: () => Promise<boolean>): Hono {
  return new Hono().get("/healthz", async (context) =>
    (await reachable()) ? context.text("ok\n") : context.text("the database does not answer\n", 503),
  );
}
