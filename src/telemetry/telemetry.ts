import type { JobOrigin } from "./job-origin.ts";
import type { LabelsOf, MetricName } from "./metric-table.ts";

/** Facts of the current work, for its log lines and its span. Log readers may see them; metrics never do. */
export type WorkFields = Readonly<Record<string, string | number>>;

/** A unit of work: one delivery, or one job of the queue. */
export interface Work {
  /** What it does, in few words; names nothing in particular. */
  readonly name: string;
  /** Null: nothing that is known caused it, e.g. an alarm. */
  readonly origin: JobOrigin | null;
  readonly fields: WorkFields;
}

export interface FinishedCall {
  readonly name: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** What the code says of its work. Nothing here fails, waits, or changes what the work does. */
export interface Telemetry {
  count<Name extends MetricName<"counter">>(name: Name, labels: LabelsOf<Name>): void;
  observe<Name extends MetricName<"histogram">>(name: Name, seconds: number, labels: LabelsOf<Name>): void;
  /** Performs a unit of work: its span continues the trace of its origin, its log lines have its fields. */
  work<T>(unit: Work, perform: () => Promise<T>): Promise<T>;
  /** Performs a step of the current work: a span below its span. */
  step<T>(name: string, perform: () => Promise<T>): Promise<T>;
  /** Adds fields to the current work. */
  note(fields: WorkFields): void;
  /** Adds the span of a call that has just ended. */
  called(call: FinishedCall): void;
  /** What a job that is enqueued now stores, so that its work continues the current work; null: nothing is recorded. */
  origin(): JobOrigin | null;
}

export const NO_TELEMETRY: Telemetry = {
  count: () => {},
  observe: () => {},
  work: (_unit, perform) => perform(),
  step: (_name, perform) => perform(),
  note: () => {},
  called: () => {},
  origin: () => null,
};
