import { JsonBounds, type JsonLimits } from "../../kernel/json-bounds.ts";
import { parseStorable } from "../../kernel/storable.ts";
import { REDUCERS } from "./events.ts";
import type { Delivery } from "./payload/lane-event.ts";
import type { ReducedDelivery } from "./payload/payload.ts";
import { ignored, type ReduceContext } from "./payload/payload.ts";

export interface DeliveryLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Where verified deliveries go, whichever server receives them. */
export interface DeliveryIntake {
  readonly ownAppId: number;
  readonly platformHosts: readonly string[];
  readonly platformAppIds?: readonly number[];
  /** Stores the delivery durably before it resolves; rejects when it cannot. */
  readonly accept: (delivery: Delivery) => Promise<"queued" | "duplicate">;
  readonly log: DeliveryLog;
  /** Receives every delivery that was answered. `event`: GitHub's name of it, or `unverified`. */
  readonly onAnswer?: (event: string, outcome: DeliveryOutcome) => void;
}

/**
 * What became of a delivery. `malformed`: signed, and not of the documented shape. `refused`: not read to its end, or not a
 * delivery. `failed`: it could not be stored, so GitHub lists it as failed.
 */
export type DeliveryOutcome =
  | "queued"
  | "duplicate"
  | "ignored"
  | "malformed"
  | "unsigned"
  | "refused"
  | "failed";

/** A webhook delivery whose signature was verified. */
export interface VerifiedDelivery {
  /** GitHub's GUID. */
  readonly id: string;
  /** Name of the event, without its action. */
  readonly name: string;
  readonly payload: unknown;
}

const DELIVERY_ID = /^[A-Za-z0-9-]{1,64}$/;
export const isDeliveryId = (text: string): boolean => DELIVERY_ID.test(text);

/** Reduces a delivery and stores it in the queue. Rejects when it could not be stored. */
export function acceptDelivery(
  intake: DeliveryIntake,
  { id, name, payload }: VerifiedDelivery,
): Promise<"queued" | "duplicate" | "ignored"> {
  return acceptReduced(intake, { id, name, reduced: reducePayload(name, payload, getReduceContext(intake)) });
}

/** Stores a reduced delivery in the queue. Rejects when it could not be stored. */
export async function acceptReduced(
  intake: DeliveryIntake,
  delivery: { readonly id: string; readonly name: string; readonly reduced: ReducedDelivery },
): Promise<"queued" | "duplicate" | "ignored"> {
  try {
    const outcome = await storeReduced(intake, delivery);
    intake.onAnswer?.(delivery.name, outcome);
    return outcome === "malformed" ? "ignored" : outcome;
  } catch (error) {
    intake.onAnswer?.(delivery.name, "failed");
    throw error;
  }
}

async function storeReduced(
  intake: DeliveryIntake,
  { id, reduced }: { readonly id: string; readonly reduced: ReducedDelivery },
): Promise<"queued" | "duplicate" | "ignored" | "malformed"> {
  if (reduced.state !== "ignored") return intake.accept({ id, event: reduced.event });
  if (reduced.reason !== "malformed") return "ignored";
  intake.log.warn({ delivery: id }, "a signed delivery has an unexpected shape");
  return "malformed";
}

export const getReduceContext = ({ ownAppId, platformHosts, platformAppIds = [] }: DeliveryIntake) => ({
  ownAppId,
  platformHosts,
  platformAppIds,
});

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

const reducePayload = (name: string, payload: unknown, context: ReduceContext): ReducedDelivery =>
  REDUCERS.get(name)?.(payload, context) ?? ignored("event");
