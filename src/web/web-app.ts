import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";

/** Creates a server without routes. Failures go to `onError`; the response reveals nothing about them. */
export function createWebApp(onError: (error: unknown) => void): Hono {
  const app = new Hono();
  app.notFound((context) => context.json({ message: "there is no such address" }, 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse(); // a refusal, e.g. of a form from another site
    onError(error);
    return context.json({ message: "this failed; the operator's log says why" }, 500);
  });
  return app;
}
