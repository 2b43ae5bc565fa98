/** Systems that run processes kill one that has not ended 10 seconds after SIGTERM, or later. */
const END_MS = 9_000;

/**
 * Resolves when a person or the system requests the end of the process. A second request ends it at once, and after 9 seconds it ends
 * with 0, also when something keeps it running: what it leaves is in the queue for another process.
 */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => {
        setTimeout(() => process.exit(0), END_MS).unref();
        resolve(signal);
      });
  });
}
