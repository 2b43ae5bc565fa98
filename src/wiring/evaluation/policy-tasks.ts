import type { PolicyTasks } from "../../evaluate/run/deps.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";
import { performInThread, type TaskThreadOptions } from "./perform-in-thread.ts";

const HEAP_MB = 256;

/** Policies in force decide: their tasks wait for their turn, and for no other policy's edits. */
const IN_FORCE: TaskThreadOptions = { timeoutMs: 30_000, heapMb: HEAP_MB, perOwner: 200, patienceMs: null };

/** What an edit would change is only told: rather not at all than late. */
const PROPOSED: TaskThreadOptions = { timeoutMs: 10_000, heapMb: HEAP_MB, perOwner: 2, patienceMs: 2_000 };

/** Two threads: one for policies in force, one for those that somebody only proposes. */
export function startPolicyTasks(): PolicyTasks & { close(): Promise<void> } {
  const [inForce, proposed] = [performInThread(IN_FORCE), performInThread(PROPOSED)];
  return {
    inForce: inForce.perform,
    proposed: proposed.perform,
    close: async () => {
      await Promise.all([inForce.close(), proposed.close()]);
    },
  };
}

/** Lends a thread to a command, and ends it after that. */
export async function withPolicyThread<T>(work: (perform: PerformTask) => Promise<T>): Promise<T> {
  const thread = performInThread(IN_FORCE);
  try {
    return await work(thread.perform);
  } finally {
    await thread.close();
  }
}
