import { createFailure } from "../../platform/errors.ts";
import type { Transport } from "../../platform/transport.ts";

/** Origin that the requests name; nothing listens there. */
export const IN_PROCESS_URL = "http://127.0.0.1";

/** Passes the requests of a platform client to a platform in this process, without a port. */
export const createInProcessTransport = (
  answerRequest: (request: Request) => Response | Promise<Response>,
): Transport => ({
  send: async ({ method, target, headers, body }) => {
    try {
      const answer = await answerRequest(
        new Request(`${IN_PROCESS_URL}${target}`, { method, headers, ...(body != null && { body }) }),
      );
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        // Not `bytes`: hono's node server replaces the global Response by a class without it.
        body: new Uint8Array(await answer.arrayBuffer()),
      };
    } catch {
      return createFailure("unavailable", "the embedded platform failed");
    }
  },
  close: async () => {},
});
