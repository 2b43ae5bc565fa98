import { JsonBounds, type JsonLimits } from "../../kernel/json-bounds.ts";
import { parseStorable } from "../../kernel/storable.ts";
import { ignored, type ReduceContext, type ReducedDelivery } from "./payload/payload.ts";
import { REDUCERS } from "./reducers.ts";

/** The body of a verified delivery. */
export interface DeliveryBody {
  /** Name of the event, without its action. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly context: ReduceContext;
}

export type ReducedBody = ReducedDelivery | { readonly state: "not_json" };

/** GitHub's deliveries are far from both; a body of brackets alone would take fifty times its size. */
const BOUNDS: JsonLimits = { depth: 100, values: 1_000_000 };
/** Smaller bodies are not counted: whatever they contain, they take little memory. In bytes. */
const COUNTED_BYTES = 128 * 1024;

/** Parses a body and reduces it to what is stored of it. */
export function reduceBody({ name, bytes, context }: DeliveryBody): ReducedBody {
  if (bytes.length > COUNTED_BYTES && new JsonBounds(BOUNDS).read(bytes) !== null)
    return ignored("malformed");
  let payload: unknown;
  try {
    const { buffer, byteOffset, byteLength } = bytes;
    payload = parseStorable(Buffer.from(buffer, byteOffset, byteLength).toString("utf8"));
  } catch {
    return { state: "not_json" };
  }
  return reducePayload(name, payload, context);
}

export const reducePayload = (name: string, payload: unknown, context: ReduceContext): ReducedDelivery =>
  REDUCERS.get(name)?.(payload, context) ?? ignored("event");
