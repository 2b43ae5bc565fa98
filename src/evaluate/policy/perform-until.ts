import { TollgateError } from "../../kernel/errors.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";

/**
 * Performs tasks until a signal ends the waiting for them. A task that is late goes on within its own limits.
 *
 * @throws TollgateError `evaluation_busy` once the signal is aborted
 */
export function performUntil(perform: PerformTask, signal: AbortSignal): PerformTask {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {}); // nobody may wait for it
  const end = () =>
    reject(new TollgateError("evaluation_busy", "policies took too long to evaluate", { retryable: true }));
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return (task) => (signal.aborted ? late : Promise.race([perform(task), late]));
}
