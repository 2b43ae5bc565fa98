import { Hono } from "hono";

/** Time after which a silent database counts as unreachable, in ms. */
const TIMEOUT_MS = 2_000;

/** `GET /healthz`: 200 while the process can reach its database, 503 otherwise. Reveals nothing else. */
export function createHealthRoute(reachable: () => Promise<boolean>): Hono {
  const ask = shareCalls(reachable);
  return new Hono().get("/healthz", async (context) =>
    (await isAnsweredInTime(ask()))
      ? context.text("ok\n")
      : context.text("the database does not answer\n", 503),
  );
}

/** Concurrent calls share one database query. */
function shareCalls(ask: () => Promise<boolean>): () => Promise<boolean> {
  let pending: Promise<boolean> | null = null;
  return () => {
    pending ??= ask().finally(() => {
      pending = null;
    });
    return pending;
  };
}

async function isAnsweredInTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), TIMEOUT_MS);
  });
  const result = await Promise.race([answer, late]);
  clearTimeout(timer);
  return result;
}
