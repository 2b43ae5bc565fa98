import { Hono } from "hono";

/** An empty server whose failures tell the caller nothing; `onError` hears of them. */
export function webApp(onError: (error: unknown) => void): Hono {
  const app = new Hono();
  app.notFound((context) => context.json({ message: "there is no such address" }, 404));
  app.onError((error, context) => {
    onError(error);
    return context.json({ message: "this failed; the operator's log says why" }, 500);
  });
  return app;
}
