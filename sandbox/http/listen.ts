import { createServer } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { TollgateError } from "../../src/kernel/errors.ts";

/** Serves an app; resolves when it listens. Port 0: the system chooses. */
export async function listen(
  app: Hono<{ Bindings: HttpBindings }>,
  at: { port: number; hostname: string },
): Promise<{ url: string; close(): Promise<void> }> {
  // By default the adapter replaces the global Request and Response with its own.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.hostname, resolve);
  }).catch((cause: unknown) => {
    const hint = "Choose another port, or stop what uses this one.";
    throw new TollgateError("usage", `cannot listen at ${at.hostname}:${at.port}`, { hint, cause });
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : at.port;
  return {
    url: `http://${at.hostname}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Clients keep connections open; closing must not wait for them.
        server.closeAllConnections();
      }),
  };
}
