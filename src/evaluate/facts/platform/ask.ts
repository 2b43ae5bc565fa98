import type { PlatformClient } from "../../../platform/client.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../../platform/contract/endpoint.ts";
import type { PlatformResult } from "../../../platform/errors.ts";

/** Asks a question whose method is POST: those the client never repeats by itself, as it cannot know that nothing is written. */
export async function askTwice<E extends Endpoint>(
  platform: PlatformClient,
  endpoint: E,
  input: ClientInput<E>,
): Promise<PlatformResult<EndpointOutput<E>>> {
  const first = await platform.call(endpoint, input);
  return first.ok || first.failure.kind !== "unavailable" ? first : platform.call(endpoint, input);
}
