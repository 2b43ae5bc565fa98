import { AsyncLocalStorage } from "node:async_hooks";
import type { JobOrigin } from "./job-origin.ts";
import type { LabelsOf, MetricName } from "./metric-table.ts";

/** Counts and measures; a library behind it. */
export interface MetricRecorder {
  count<Name extends MetricName<"counter">>(name: Name, labels: LabelsOf<Name>): void;
  observe<Name extends MetricName<"histogram">>(name: Name, seconds: number, labels: LabelsOf<Name>): void;
}

export interface Span {
  /** W3C `traceparent`. */
  readonly traceparent: string;
  readonly traceId: string;
  set(fields: WorkFields): void;
  /** Ends the span; with an error it failed. */
  end(error?: unknown): void;
}

export interface SpanStart {
  /** A span, or the `traceparent` of one in another process; null: begins a trace. */
  readonly parent: Span | string | null;
  /** The `traceparent` of other spans that the work is about. */
  readonly links: readonly string[];
  /** `consumer`: a unit of work; `internal`: a step; `client`: a call of another system. */
  readonly kind: "consumer" | "internal" | "client";
  readonly fields: WorkFields;
  /** How long ago it started, in seconds. */
  readonly ageSeconds?: number;
}

/** Starts spans; a library behind it. */
export interface Tracer {
  start(name: string, start: SpanStart): Span;
}

export interface TelemetryParts {
  /** Null: no metrics. */
  readonly metrics: MetricRecorder | null;
  /** Null: no traces. */
  readonly tracer: Tracer | null;
  /** Receives each call of another system that has ended. */
  readonly onCalled?: (call: FinishedCall) => void;
}

/** Telemetry, and the fields of log lines that belong to the current work. */
export interface WorkTelemetry extends Telemetry {
  logFields(): WorkFields;
}

interface CurrentWork {
  /** Shared by the steps of a unit, and completed as facts are found. */
  readonly fields: Record<string, string | number>;
  readonly receivedAtMs: number | null;
  readonly span: Span | null;
  /** The span of the unit, for facts that are found in one of its steps. */
  readonly unitSpan: Span | null;
}

/** Makes the telemetry of a bot. The current work follows its asynchronous calls, so that nothing has to be passed along. */
export function createTelemetry({ metrics, tracer, onCalled }: TelemetryParts): WorkTelemetry {
  const storage = new AsyncLocalStorage<CurrentWork>();
  const perform = async <T>(current: CurrentWork, action: () => Promise<T>): Promise<T> => {
    try {
      const result = await storage.run(current, action);
      current.span?.end();
      return result;
    } catch (error) {
      current.span?.end(error);
      throw error;
    }
  };
  return {
    count: (name, labels) => metrics?.count(name, labels),
    observe: (name, seconds, labels) => metrics?.observe(name, seconds, labels),
    work: ({ name, origin, fields }, action) => {
      const { traceparent: parent = null, links = [], receivedAtMs = null, delivery } = origin ?? {};
      const all = { ...(delivery !== undefined && { delivery }), ...fields };
      const span = tracer?.start(name, { parent, links, kind: "consumer", fields: all }) ?? null;
      return perform({ fields: all, receivedAtMs, span, unitSpan: span }, action);
    },
    step: (name, action) => {
      const current = storage.getStore();
      if (current === undefined || tracer === null) return action();
      const span = tracer.start(name, { parent: current.span, links: [], kind: "internal", fields: {} });
      return perform({ ...current, span }, action);
    },
    note: (fields) => {
      const current = storage.getStore();
      if (current === undefined) return;
      Object.assign(current.fields, fields);
      current.unitSpan?.set(fields);
    },
    called: ({ name, outcome, seconds }) => {
      onCalled?.({ name, outcome, seconds });
      const current = storage.getStore();
      if (tracer === null || current === undefined) return;
      const start = { parent: current.span, links: [], kind: "client", fields: { outcome } } as const;
      const span = tracer.start(name, { ...start, ageSeconds: seconds });
      span.end(outcome === "ok" ? undefined : new Error(outcome));
    },
    origin: () => (metrics === null && tracer === null ? null : buildOrigin(storage.getStore())),
    logFields: () => {
      const { fields = {}, span = null } = storage.getStore() ?? {};
      return span === null ? fields : { ...fields, trace_id: span.traceId };
    },
  };
}

function buildOrigin(current: CurrentWork | undefined): JobOrigin {
  if (current === undefined) return { receivedAtMs: null };
  const { fields, receivedAtMs, span } = current;
  return {
    receivedAtMs,
    ...(typeof fields["delivery"] === "string" && { delivery: fields["delivery"] }),
    ...(span !== null && { traceparent: span.traceparent }),
  };
}

/** Facts of the current work, for its log lines and its span. Log readers may see them; metrics never do. */
export type WorkFields = Readonly<Record<string, string | number>>;

interface Work {
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
