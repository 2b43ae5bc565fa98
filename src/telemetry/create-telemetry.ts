import { AsyncLocalStorage } from "node:async_hooks";
import type { JobOrigin } from "./job-origin.ts";
import type { LabelsOf, MetricName } from "./metric-table.ts";
import type { FinishedCall, Telemetry, Work, WorkFields } from "./telemetry.ts";

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
export const createTelemetry = (parts: TelemetryParts): WorkTelemetry => new RecordedWork(parts);

class RecordedWork implements WorkTelemetry {
  readonly #metrics: MetricRecorder | null;
  readonly #tracer: Tracer | null;
  readonly #onCalled: TelemetryParts["onCalled"];
  readonly #storage = new AsyncLocalStorage<CurrentWork>();

  constructor({ metrics, tracer, onCalled }: TelemetryParts) {
    this.#onCalled = onCalled;
    this.#metrics = metrics;
    this.#tracer = tracer;
  }

  count<Name extends MetricName<"counter">>(name: Name, labels: LabelsOf<Name>): void {
    this.#metrics?.count(name, labels);
  }

  observe<Name extends MetricName<"histogram">>(name: Name, seconds: number, labels: LabelsOf<Name>): void {
    this.#metrics?.observe(name, seconds, labels);
  }

  work<T>({ name, origin, fields }: Work, action: () => Promise<T>): Promise<T> {
    const { traceparent: parent = null, links = [], receivedAtMs = null, delivery } = origin ?? {};
    const all = { ...(delivery !== undefined && { delivery }), ...fields };
    const span = this.#tracer?.start(name, { parent, links, kind: "consumer", fields: all }) ?? null;
    return this.#perform({ fields: all, receivedAtMs, span, unitSpan: span }, action);
  }

  step<T>(name: string, action: () => Promise<T>): Promise<T> {
    const current = this.#storage.getStore();
    if (current === undefined || this.#tracer === null) return action();
    const span = this.#tracer.start(name, { parent: current.span, links: [], kind: "internal", fields: {} });
    return this.#perform({ ...current, span }, action);
  }

  note(fields: WorkFields): void {
    const current = this.#storage.getStore();
    if (current === undefined) return;
    Object.assign(current.fields, fields);
    current.unitSpan?.set(fields);
  }

  called({ name, outcome, seconds: ageSeconds }: FinishedCall): void {
    this.#onCalled?.({ name, outcome, seconds: ageSeconds });
    const current = this.#storage.getStore();
    if (this.#tracer === null || current === undefined) return;
    const fields = { outcome };
    const start = { parent: current.span, links: [], kind: "client", fields, ageSeconds } as const;
    this.#tracer.start(name, start).end(outcome === "ok" ? undefined : new Error(outcome));
  }

  origin(): JobOrigin | null {
    if (this.#metrics === null && this.#tracer === null) return null;
    return buildOrigin(this.#storage.getStore());
  }

  logFields(): WorkFields {
    const current = this.#storage.getStore();
    if (current === undefined) return {};
    return current.span === null ? current.fields : { ...current.fields, trace_id: current.span.traceId };
  }

  async #perform<T>(current: CurrentWork, action: () => Promise<T>): Promise<T> {
    try {
      const result = await this.#storage.run(current, action);
      current.span?.end();
      return result;
    } catch (error) {
      current.span?.end(error);
      throw error;
    }
  }
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
