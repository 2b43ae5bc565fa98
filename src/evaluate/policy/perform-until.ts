import { TollgateError } from "../../kernel/errors.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";

/**
 * Returns a performer that stops waiting for its tasks when a signal aborts. A late task continues within its
 * own limits.
 *
 * @throws TollgateError `evaluation_busy` once the signal is aborted
 */
export function performUntil(perform: PerformTask, signal: AbortSignal): PerformTask {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {}); // the caller may have stopped waiting for it
  const end = () =>
    reject(new TollgateError("evaluation_busy", "policies took too long to evaluate", { retryable: true }));
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return (task) => (signal.aborted ? late : Promise.race([perform(task), late]));
}
