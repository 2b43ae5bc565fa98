import { z } from "zod";
import { DAY_MS } from "../kernel/clock.ts";

/** A number of days such as `400d`, at least `least`; parsed to ms. */
const days = (least: number) => {
  const words = `must be a number of days such as ${least}d or more`;
  return z
    .string(words)
    .regex(/^[1-9]\d{0,4}d$/, { error: words, abort: true })
    .transform((text) => Number(text.slice(0, -1)) * DAY_MS)
    .refine((ms) => ms >= least * DAY_MS, `must be ${least}d or more`);
};

/**
 * How long data is kept that nothing needs any longer, in ms. What open pull requests rest on is kept however old it is. The least
 * times: for two weeks after a merge, the changes of applied executions are read; GitHub redelivers within three days.
 */
export const Retention = z
  .strictObject({
    /** Evaluations and checks of closed pull requests, and executions of the embedded platform with their costs. */
    evaluations: days(31).prefault("400d"),
    /** Uploaded change rows of the embedded platform, and the bot's copies of the facts of ended executions. */
    plan_rows: days(15).prefault("31d"),
    /** GitHub's deliveries, after they were processed. */
    deliveries: days(3).prefault("7d"),
  })
  .refine(({ evaluations, plan_rows }) => evaluations >= plan_rows, {
    path: ["evaluations"],
    error: "must not be shorter than plan_rows",
  });
export type Retention = z.infer<typeof Retention>;
