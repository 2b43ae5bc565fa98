/** Selects deliveries; an absent member matches everything. */
export interface DeliveryMatch {
  readonly event?: string;
  readonly action?: string;
  readonly appId?: number;
}

/** One delivery attempt; a redelivery adds another with the same `guid`. */
export interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly appId: number;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly event: string;
  readonly action: string | null;
  /** Headers without the signatures, which depend on the secret at the time of sending. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body, sent or not. */
  readonly body: string;
  readonly redelivery: boolean;
  readonly createdAt: number;
  /**
   * "waiting" until it is sent, "held" by `hold`, "dropped" by `drop`, "sent" after it was answered or
   * failed.
   */
  readonly state: "waiting" | "held" | "dropped" | "sent";
  /** HTTP status of the answer; null when nothing answered (refused, timed out after 10 s). */
  readonly statusCode: number | null;
  readonly durationMs: number | null;
}

/** The signed deliveries and their faults. By default they are sent one after another, in order. */
export interface Deliveries {
  /** Holds matching deliveries until `release`. */
  hold(match?: DeliveryMatch): void;
  /** Ends every `hold` and sends the held deliveries, in order or backwards. Resolves when all are answered. */
  release(order?: "in order" | "backwards"): Promise<void>;
  /** Drops the next `times` matching deliveries (default: all): records them without sending. */
  drop(match?: DeliveryMatch, times?: number): void;
  /** Sends the next `times` matching deliveries (default: all) twice at once with one guid. */
  duplicate(match?: DeliveryMatch, times?: number): void;
  /** Ends every drop and duplicate. */
  clearFaults(): void;
  /** All deliveries in order of creation. */
  list(match?: DeliveryMatch): readonly Delivery[];
  /** Sends a delivery again now, with the same guid, signature key and body. */
  redeliver(deliveryId: number): Promise<Delivery>;
  /** Resolves when no delivery is pending; held deliveries do not count. */
  settled(): Promise<void>;
}
