import type { ReceivedSpan } from "../test/world/otlp-collector.ts";
import { type Figure, median, ms } from "./figures.ts";

interface Interval {
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** The spans of one delivery, by their start. */
type Trace = readonly Interval[];

const find = (trace: Trace, name: RegExp): Interval | undefined => trace.find((span) => name.test(span.name));
const findLast = (trace: Trace, name: RegExp): Interval | undefined =>
  trace.findLast((span) => name.test(span.name));

/** The moments of a gate in their order; each step lies between two of them. Calls of others say so. */
const MOMENTS: readonly (readonly [step: string, moment: (trace: Trace) => number | undefined])[] = [
  ["", (trace) => find(trace, /^receive/)?.beganMs],
  ["verify and store the delivery", (trace) => find(trace, /^receive/)?.endedMs],
  ["queue: fetch it", (trace) => find(trace, /^handle/)?.beganMs],
  ["find its pull request, enqueue the lane", (trace) => find(trace, /^handle/)?.endedMs],
  ["queue: fetch the lane", (trace) => find(trace, /^evaluate/)?.beganMs],
  ["enter the lane, find the repository", (trace) => find(trace, /^GitHub query Head/)?.beganMs],
  ["CALL head", (trace) => find(trace, /^GitHub query Head/)?.endedMs],
  ["parse and save the head", (trace) => findLast(trace, /^platform executions list$/)?.beganMs],
  ["CALL stages", (trace) => findLast(trace, /^platform executions list$/)?.endedMs],
  ["CALL facts; report", (trace) => find(trace, /^gather facts/)?.endedMs],
  ["decide, save, append to the decisions", (trace) => find(trace, /^decide/)?.endedMs],
  ["render, ask for the fencing token", (trace) => find(trace, /^GitHub .*check-runs/)?.beganMs],
  ["CALL check", (trace) => find(trace, /^GitHub .*check-runs/)?.endedMs],
];

/** Where the time of a gate goes: the median of each step over the deliveries whose spans show all of them. */
export function tabulateSteps(spans: readonly ReceivedSpan[]): readonly Figure[] {
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()].map(toTrace);
  const gates = traces.flatMap((trace) => {
    const moments = MOMENTS.map(([, moment]) => moment(trace));
    const known = moments.filter((at) => at !== undefined);
    return known.length === moments.length ? [known] : [];
  });
  const steps = MOMENTS.slice(1).map(([step], index) => {
    const took = median(gates.map((moments) => (moments[index + 1] ?? 0) - (moments[index] ?? 0)));
    return { what: `  ${index + 1}. ${step}`, value: ms(took), goal: "–" };
  });
  const own = gates.map((moments) =>
    MOMENTS.slice(1).reduce(
      (sum, [step], index) =>
        step.startsWith("CALL") ? sum : sum + (moments[index + 1] ?? 0) - (moments[index] ?? 0),
      0,
    ),
  );
  return [...steps, { what: "  our own of these, with spans on", value: ms(median(own)), goal: "≤ 100 ms" }];
}

const toTrace = (spans: readonly ReceivedSpan[]): Trace =>
  spans
    .map(({ name, startTimeUnixNano, endTimeUnixNano }) => ({
      name,
      beganMs: Number(BigInt(startTimeUnixNano) / 1_000n) / 1_000,
      endedMs: Number(BigInt(endTimeUnixNano) / 1_000n) / 1_000,
    }))
    .sort((a, b) => a.beganMs - b.beganMs);
