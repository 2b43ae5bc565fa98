/** Which deliveries a setting is about; what is left out matches everything. */
export interface DeliveryMatch {
  readonly event?: string;
  readonly action?: string;
  readonly appId?: number;
}

/** One try to deliver; redelivering adds another with the same `guid`. */
export interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly appId: number;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly event: string;
  readonly action: string | null;
  /** Without the signatures, which depend on the secret at the time of sending. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that was (or would have been) sent. */
  readonly body: string;
  readonly redelivery: boolean;
  readonly createdAt: number;
  /** "waiting" until it is sent, "held" by `hold`, "dropped" by `drop`, "sent" once it was answered or failed. */
  readonly state: "waiting" | "held" | "dropped" | "sent";
  /** HTTP status of the answer; null when nothing answered (refused, timed out after 10 s). */
  readonly statusCode: number | null;
  readonly durationMs: number | null;
}

/** The signed deliveries and what goes wrong with them on their way. By default they are sent one after another, in order. */
export interface Deliveries {
  /** From now on matching deliveries wait for `release`. */
  hold(match?: DeliveryMatch): void;
  /** Ends every `hold` and sends what waited, in order or backwards. Resolves when all are answered. */
  release(order?: "in order" | "backwards"): Promise<void>;
  /** The next `times` matching deliveries are recorded and never sent (default: all from now on). */
  drop(match?: DeliveryMatch, times?: number): void;
  /** The next `times` matching deliveries are sent twice at once with one guid (default: all from now on). */
  duplicate(match?: DeliveryMatch, times?: number): void;
  /** Ends every drop and duplicate. */
  calm(): void;
  /** In the order they were made. */
  list(match?: DeliveryMatch): readonly Delivery[];
  /** Sends it again now, with the same guid, signature key and body. */
  redeliver(deliveryId: number): Promise<Delivery>;
  /** Resolves when nothing is on its way any more; held deliveries do not count. */
  settled(): Promise<void>;
}
