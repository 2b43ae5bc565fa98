import type { PlatformClient } from "../../../platform/client.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../../platform/contract/endpoint.ts";
import type { PlatformResult } from "../../../platform/errors.ts";

/** Wraps a platform client with a cache of its reads, for searches that repeat them. */
export function cacheReads(platform: Pick<PlatformClient, "call">): Pick<PlatformClient, "call"> {
  const made = new Map<string, Promise<PlatformResult<unknown>>>();
  return {
    call<E extends Endpoint>(endpoint: E, input: ClientInput<E>) {
      const key = JSON.stringify([endpoint.area, endpoint.operation, input]);
      const answer = made.get(key) ?? platform.call(endpoint, input);
      made.set(key, answer);
      return answer as Promise<PlatformResult<EndpointOutput<E>>>; // the cache key contains the endpoint
    },
  };
}
