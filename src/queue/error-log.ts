import { findDatabaseFault } from "../store/database/faults.ts";

interface ErrorLog {
  error(details: object, message: string): void;
}

/** How often the same error is logged, in ms: each worker reports it at each poll, which is twenty times a second. */
const EVERY_MS = 60_000;

/** What pg-boss appends to the message of an error: the worker that met it. */
const WORKER = / \(Queue: .*\)$/;

interface Repetition {
  readonly loggedMs: number;
  count: number;
}

/** Returns a function that logs the queue's errors, each once a minute with the number of its repetitions. */
export function createErrorLog(log: ErrorLog, monotonicMs: () => number): (error: unknown) => void {
  const repetitions = new Map<string, Repetition>();
  return (error) => {
    const name = nameError(error);
    const before = repetitions.get(name);
    const nowMs = monotonicMs();
    if (before !== undefined && nowMs - before.loggedMs < EVERY_MS) {
      before.count += 1;
      return;
    }
    forgetOld(repetitions, nowMs);
    repetitions.set(name, { loggedMs: nowMs, count: 0 });
    const fault = findDatabaseFault(error);
    const details = {
      error,
      ...(before !== undefined && before.count > 0 && { repeated: before.count }),
      ...(fault !== null && { hint: fault.hint }),
    };
    log.error(
      details,
      fault === null ? "the queue reports an error" : `the queue waits for the database: ${fault.found}`,
    );
  };
}

function forgetOld(repetitions: Map<string, Repetition>, nowMs: number): void {
  for (const [name, { loggedMs }] of repetitions) if (nowMs - loggedMs >= EVERY_MS) repetitions.delete(name);
}

/** pg-boss emits errors, and copies of them that are no errors any more. */
function nameError(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const code = "code" in error ? String(error.code) : "";
  const message = "message" in error ? String(error.message).replace(WORKER, "") : "";
  return `${code} ${message}`;
}
