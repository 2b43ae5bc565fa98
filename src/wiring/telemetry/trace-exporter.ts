import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";
import { within } from "../../kernel/clock.ts";
import type { Span, SpanStart, Tracer, WorkFields } from "../../telemetry/telemetry.ts";

export interface TraceExport {
  readonly tracer: Tracer;
  /** Sends what is left, for at most `CLOSE_MS`. */
  close(): Promise<void>;
}

/** Longest time that the last spans may hold up the end of the process, in ms. */
const CLOSE_MS = 3_000;

/**
 * Sends spans to an OTLP endpoint over HTTP, in batches. OpenTelemetry's SDK reads the other variables of its specification itself
 * (`OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, …). Nothing is registered globally.
 */
export function startTraceExport(
  url: string,
  { version, log }: { readonly version: string; readonly log: Logger },
): TraceExport {
  const named = resourceFromAttributes({ "service.name": "tollgate", "service.version": version });
  const provider = new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(createLoggedExporter(url, log))],
  });
  return {
    tracer: createTracer(provider.getTracer("tollgate", version)),
    close: () =>
      within(
        CLOSE_MS,
        provider.shutdown().catch(() => {}),
        () => {},
      ),
  };
}

/** Without this, the SDK tells nobody that spans are lost. */
function createLoggedExporter(url: string, log: Logger): SpanExporter {
  const exporter = new OTLPTraceExporter({ url });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) log.warn({ error: result.error }, "spans could not be sent");
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

const KINDS = { consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

function createTracer(sdk: SdkTracer): Tracer {
  const contexts = new WeakMap<Span, Context>();
  const findContext = (parent: SpanStart["parent"]): Context => {
    if (parent === null) return ROOT_CONTEXT;
    if (typeof parent !== "string") return contexts.get(parent) ?? ROOT_CONTEXT;
    const remote = parseTraceParent(parent);
    return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  };
  return {
    start(name, { parent, links, kind, fields, ageSeconds }) {
      const context = findContext(parent);
      const options = {
        kind: KINDS[kind],
        links: links.flatMap(parseLink),
        attributes: toAttributes(fields),
        // The machine's clock, by which the SDK ends the span.
        ...(ageSeconds !== undefined && { startTime: Date.now() - ageSeconds * 1_000 }),
      };
      const sdkSpan = sdk.startSpan(name, options, context);
      const span = wrapSpan(sdkSpan);
      contexts.set(span, trace.setSpan(context, sdkSpan));
      return span;
    },
  };
}

function parseLink(traceparent: string): readonly Link[] {
  const context = parseTraceParent(traceparent);
  return context === null ? [] : [{ context }];
}

function wrapSpan(span: SdkSpan): Span {
  return {
    traceId: span.spanContext().traceId,
    traceparent: formatTraceparent(span.spanContext()),
    set: (fields) => void span.setAttributes(toAttributes(fields)),
    end: (error) => {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: nameError(error) });
      span.end();
    },
  };
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

const toAttributes = (fields: WorkFields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`tollgate.${name}`, value]));

/** The code or the name of an error: its message may quote a request. */
function nameError(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
