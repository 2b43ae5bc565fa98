import type { Queue } from "../../queue/queue.ts";

/** The queue of one CI job: it remembers what is enqueued until the job asks. Alarms are dropped, because nothing runs after the job. */
export interface JobQueue extends Queue {
  takeLane(): string | null;
  takeComment(): string | null;
}

export function createJobQueue(): JobQueue {
  const lanes = new Set<string>();
  const comments = new Set<string>();
  return {
    takeLane: () => take(lanes),
    takeComment: () => take(comments),
    enqueue: async (lane) => void lanes.add(lane),
    enqueueComment: async (lane) => void comments.add(lane),
    setAlarm: async () => {},
    enqueueNotifications: async () => {},
    enqueuePlatformJob: async () => {},
    acceptDelivery: refuseWork,
    workDeliveries: refuseWork,
    workLanes: refuseWork,
    workComments: refuseWork,
    workNotifications: refuseWork,
    workPlatform: refuseWork,
    isIdle: async () => lanes.size + comments.size === 0,
    isMoving: async () => true,
    countJobs: async () => [],
    stop: async () => {},
  };
}

function take(waiting: Set<string>): string | null {
  const [first] = waiting;
  if (first === undefined) return null;
  waiting.delete(first);
  return first;
}

const refuseWork = (): Promise<never> =>
  Promise.reject(new Error("a CI job receives nothing and has no workers"));
