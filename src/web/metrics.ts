import { Hono } from "hono";
import { isSameSecret } from "./same-secret.ts";

/** The figures of a process in the format of Prometheus. */
export interface MetricText {
  readonly contentType: string;
  readonly text: string;
}

/**
 * `GET /metrics`. Without the token, which is sent as `Authorization: Bearer …`, it answers as if there were no such address; null: whoever
 * reaches the address may read.
 */
export function createMetricsRoute(
  render: () => Promise<MetricText>,
  { token }: { readonly token: string | null },
): Hono {
  return new Hono().get("/metrics", async (context) => {
    const given = context.req.header("authorization") ?? "";
    if (token !== null && !isSameSecret(given, `Bearer ${token}`)) return context.notFound();
    const { contentType, text } = await render();
    return context.body(text, 200, { "content-type": contentType });
  });
}
