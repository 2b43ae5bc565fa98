import type { PolicyTasks } from "../../evaluate/run/deps.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";
import { createTaskThread, type TaskThreadOptions } from "./task-thread.ts";

const HEAP_MB = 256;

/** Policies in force decide checks: their tasks may wait, and never wait for another policy's edits. */
const IN_FORCE: TaskThreadOptions = { timeoutMs: 30_000, heapMb: HEAP_MB, perOwner: 200, patienceMs: null };

/** The effect of a policy edit is only informative: a late result is dropped. */
const PROPOSED: TaskThreadOptions = { timeoutMs: 10_000, heapMb: HEAP_MB, perOwner: 2, patienceMs: 2_000 };

/** Starts two threads: one for policies in force, one for proposed policies. */
export function startPolicyTasks(): PolicyTasks & { close(): Promise<void> } {
  const [inForce, proposed] = [createTaskThread(IN_FORCE), createTaskThread(PROPOSED)];
  return {
    inForce: inForce.perform,
    proposed: proposed.perform,
    close: async () => {
      await Promise.all([inForce.close(), proposed.close()]);
    },
  };
}

/** Starts a thread for a command's tasks, and ends it afterwards. */
export async function withPolicyThread<T>(work: (perform: PerformTask) => Promise<T>): Promise<T> {
  const thread = createTaskThread(IN_FORCE);
  try {
    return await work(thread.perform);
  } finally {
    await thread.close();
  }
}
