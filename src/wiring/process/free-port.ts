import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to clients, and to servers that name none: such a port may be given away before it is used. */
const [FIRST, LAST] = [10_000, 32_767];

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
