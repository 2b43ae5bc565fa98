import type { Delivery } from "./payload/lane-event.ts";
import { ignored, type ReduceContext } from "./payload/payload.ts";
import { REDUCERS } from "./reducers.ts";

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
export async function acceptDelivery(
  intake: DeliveryIntake,
  delivery: VerifiedDelivery,
): Promise<"queued" | "duplicate" | "ignored"> {
  try {
    const outcome = await reduceAndStore(intake, delivery);
    intake.onAnswer?.(delivery.name, outcome);
    return outcome === "malformed" ? "ignored" : outcome;
  } catch (error) {
    intake.onAnswer?.(delivery.name, "failed");
    throw error;
  }
}

async function reduceAndStore(
  intake: DeliveryIntake,
  { id, name, payload }: VerifiedDelivery,
): Promise<"queued" | "duplicate" | "ignored" | "malformed"> {
  const { ownAppId, platformHosts, platformAppIds = [] } = intake;
  const context: ReduceContext = { ownAppId, platformHosts, platformAppIds };
  const reduced = REDUCERS.get(name)?.(payload, context) ?? ignored("event");
  if (reduced.state !== "ignored") return intake.accept({ id, event: reduced.event });
  if (reduced.reason !== "malformed") return "ignored";
  logUnexpectedShape(intake, id);
  return "malformed";
}

export const logUnexpectedShape = ({ log }: DeliveryIntake, id: string): void =>
  log.warn({ delivery: id }, "a signed delivery has an unexpected shape");
