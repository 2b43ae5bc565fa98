import { z } from "zod";
import { type Failure, parseJson } from "./errors.ts";

/** The content of an error answer in any of the platform's envelopes; empty for any other body. */
export interface ParsedErrorBody extends Pick<Failure, "code" | "fields" | "correlationId"> {
  readonly message: string | null;
}

const text = z.string().optional().catch(undefined);
const texts = z.record(z.string(), z.unknown()).optional().catch(undefined);
const field = z.object({ fieldId: text, field_name: text, error: text, message: text });

// provisioning: {name, id, message, fault …} · cost management: {status, code, message, correlationId, errors or responseMessages}
// flags: {code, message, details} · registry: {status, code, message, details} · code hosting: {message, values}
// the platform's first version: {code, message, errors: [{field_name, message}]}
const ErrorEnvelope = z.object({
  message: text,
  detailedMessage: text,
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  name: text,
  id: text,
  correlationId: text,
  errors: z.array(field).optional().catch(undefined),
  responseMessages: z
    .array(z.object({ message: text }))
    .optional()
    .catch(undefined),
  data: z.object({ message: text }).optional().catch(undefined),
  details: texts,
  values: texts,
});
type ErrorEnvelope = z.output<typeof ErrorEnvelope>;

export function readErrorBody(body: string): ParsedErrorBody {
  const read = ErrorEnvelope.safeParse(parseJson(body));
  if (!read.success) return { code: null, message: null, fields: [], correlationId: null };
  const { code, name, id, correlationId } = read.data;
  const fields = listFields(read.data);
  const inWords = fields.map(({ field: path, error }) => `${path}: ${error}`);
  const words = [readMessage(read.data), ...inWords].filter((part) => part !== undefined);
  return {
    code: code === undefined ? (name ?? null) : `${code}`,
    message: words.length === 0 ? null : words.join("; "),
    fields,
    correlationId: correlationId ?? id ?? null,
  };
}

function readMessage({
  message,
  detailedMessage,
  responseMessages = [],
  data,
}: ErrorEnvelope): string | undefined {
  const all = responseMessages.flatMap((one) => one.message ?? []);
  return message ?? detailedMessage ?? (all.length > 0 ? all.join("; ") : data?.message);
}

const listFields = ({ errors = [], details = {}, values = {} }: ErrorEnvelope): Failure["fields"] => [
  ...errors.map((one) => ({
    field: one.fieldId ?? one.field_name ?? "?",
    error: one.error ?? one.message ?? "?",
  })),
  ...Object.entries({ ...details, ...values }).flatMap(([path, error]) =>
    typeof error === "string" ? [{ field: path, error }] : [],
  ),
];
