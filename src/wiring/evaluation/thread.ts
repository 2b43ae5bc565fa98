import { parentPort, workerData } from "node:worker_threads";
import { PERFORMERS } from "../../policy/task.ts";
import { ConditionRun } from "../../policy/when/condition-run.ts";
import type { Position, TaskAttempt, ThreadRequest, ThreadResponse } from "./evaluation-thread.ts";
import { joinLists, type ListPiece } from "./evaluation-thread.ts";

// Runs in a separate thread; `evaluation-thread.ts` is the other side of every message.
const position = workerData as Position;
const pieces: ListPiece[] = [];
const sendMessage = (message: ThreadResponse): void => parentPort?.postMessage(message);

parentPort?.on("message", (message: ThreadRequest) => {
  if (message.kind === "piece") pieces.push(message.piece);
  else sendMessage(performAttempt(message.attempt));
});
sendMessage({ kind: "ready" });

function performAttempt({ kind, input, limits, stop, skipped }: TaskAttempt): ThreadResponse {
  const conditions = new ConditionRun({
    ...(limits !== undefined && { limits }),
    stop,
    skipped,
    onPosition: (now) => Atomics.store(position, 0, now),
  });
  try {
    const whole = joinLists({ rest: input, pieces: pieces.splice(0) });
    // The input belongs to this kind of task; the compiler cannot follow the lookup by kind.
    const performer = PERFORMERS[kind] as (input: unknown, conditions: ConditionRun) => unknown;
    return { kind: "done", result: performer(whole, conditions), stoppedAt: conditions.stoppedAt };
  } catch (error) {
    return {
      kind: "failed",
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}
