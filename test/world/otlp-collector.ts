import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";

const Attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.union([z.string(), z.number()]).optional(),
  }),
});

const ReceivedSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(Attribute),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});
type ReceivedSpan = z.infer<typeof ReceivedSpan>;

const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(ReceivedSpan) })) })),
});

/** What OpenTelemetry's collector is to a process: takes OTLP as JSON over HTTP on loopback. */
export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = Export.parse(await json(request));
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A trace as a person reads it: a line per span below its parent, in the order of their starts; equal neighbours are one line. */
export function drawTrace(spans: readonly ReceivedSpan[], traceId: string): string {
  const own = spans
    .filter((span) => span.traceId === traceId)
    .sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
  const isRoot = ({ parentSpanId }: ReceivedSpan) => !own.some(({ spanId }) => spanId === parentSpanId);
  const draw = (span: ReceivedSpan, depth: number): readonly string[] => [
    `${"  ".repeat(depth)}${span.name}`,
    ...own
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .flatMap((child) => draw(child, depth + 1)),
  ];
  return own
    .filter(isRoot)
    .flatMap((root) => draw(root, 0))
    .filter((line, index, lines) => line !== lines[index - 1])
    .join("\n");
}
