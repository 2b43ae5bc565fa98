import { z } from "zod";

/** Where a job comes from: travels with it through the queue. */
export const JobOrigin = z.object({
  /** When the oldest delivery that the job covers was received, in ms since 1970; null: no delivery caused it. */
  receivedAtMs: z.number().nullable(),
  /** GitHub's id of the newest of these deliveries. */
  delivery: z.string().max(100).optional(),
  /** W3C `traceparent` of the span that enqueued the job; absent: nothing is traced. */
  traceparent: z.string().max(100).optional(),
  /** The same of the jobs that this one replaced. */
  links: z.array(z.string().max(100)).readonly().optional(),
});
export type JobOrigin = Readonly<z.infer<typeof JobOrigin>>;

/** Most spans that one job names: fifty events in a second are one evaluation. */
const MAX_LINKS = 32;

/** The origin of a job that replaces a waiting one. */
export function mergeOrigins(newer: JobOrigin, waiting: JobOrigin): JobOrigin {
  const replaced = [
    ...(waiting.links ?? []),
    ...(waiting.traceparent === undefined ? [] : [waiting.traceparent]),
  ];
  const links = replaced.filter((link) => link !== newer.traceparent).slice(-MAX_LINKS);
  const delivery = newer.delivery ?? waiting.delivery;
  return {
    ...newer,
    ...(delivery !== undefined && { delivery }),
    receivedAtMs: findOldest(newer.receivedAtMs, waiting.receivedAtMs),
    ...(links.length > 0 && { links }),
  };
}

const findOldest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
