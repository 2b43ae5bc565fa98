import type { Probot } from "probot";
import { acceptDelivery, type DeliveryIntake, isDeliveryId } from "./accept-delivery.ts";
import { EVENTS } from "./events.ts";

/**
 * Registers every event that Tollgate reduces with Probot. Probot answers a delivery after its handler, so it answers 200 only when
 * the delivery is stored.
 */
export function registerEvents(app: Pick<Probot, "on">, intake: DeliveryIntake): void {
  app.on([...EVENTS], async ({ id, name, payload }) => {
    if (!isDeliveryId(id)) throw createHttpError(400, "X-GitHub-Delivery is not an id of GitHub");
    await acceptDelivery(intake, { id, name, payload }).catch((error: unknown) => {
      intake.log.warn(
        { delivery: id, err: error },
        "a delivery could not be stored; GitHub lists it as failed",
      );
      throw createHttpError(503, "the delivery could not be stored");
    });
  });
}

/** Probot answers with an error's status and message: neither holds anything of the delivery or of the database. */
const createHttpError = (status: number, message: string): Error =>
  Object.assign(new Error(message), { status });
