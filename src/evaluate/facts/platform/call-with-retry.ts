import type { PlatformClient } from "../../../platform/client.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../../platform/contract/endpoint.ts";
import type { PlatformResult } from "../../../platform/errors.ts";

/** Repeats a read with method POST once if the platform is unavailable: the client never repeats a POST, which might write. */
export async function callWithRetry<E extends Endpoint>(
  platform: PlatformClient,
  endpoint: E,
  input: ClientInput<E>,
): Promise<PlatformResult<EndpointOutput<E>>> {
  const first = await platform.call(endpoint, input);
  return first.ok || first.failure.kind !== "unavailable" ? first : platform.call(endpoint, input);
}
