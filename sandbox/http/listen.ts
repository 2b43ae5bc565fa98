import { createServer } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { TollgateError } from "../../src/kernel/errors.ts";

/** Serves an app; resolves when it listens. Port 0: the system chooses. */
export async function listen(
  app: Hono<{ Bindings: HttpBindings }>,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  // By default the adapter replaces the global Request and Response with its own.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((cause: unknown) => {
    const hint = "Choose another port, or stop what uses this one.";
    throw new TollgateError("usage", `cannot listen at 127.0.0.1:${port}`, { hint, cause });
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Clients keep connections open; closing must not wait for them.
        server.closeAllConnections();
      }),
  };
}
