import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to clients, and to servers that name none: such a port may be given away before it is used.
 * Above those that browsers and `fetch` never connect to, 10080 being the last (https://fetch.spec.whatwg.org/#port-blocking).
 */
const [FIRST, LAST] = [10_081, 32_767];

/** Returns a loopback port that is not in use now. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = randomInt(FIRST, LAST + 1);
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(findFreePort()) : reject(error),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}
