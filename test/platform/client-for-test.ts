import {
  createCallPace,
  createPlatformClient,
  type PlatformClient,
  type PlatformClientOptions,
} from "../../src/platform/client.ts";

export const TOKEN = "pat.acc123.tokenid.s3cr3t+of/the=test";

export interface Rig {
  readonly client: PlatformClient;
  /** Pauses between tries, in ms, as asked for; none of them is really waited. */
  readonly pauses: number[];
}

/** A client whose clock moves only when it pauses. `random` is always one half. */
export function createRig(
  url: string,
  { perMinute, ...options }: Partial<PlatformClientOptions> & { readonly perMinute?: number } = {},
): Rig {
  const pauses: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, monotonicMs: () => now };
  const client = createPlatformClient({
    url,
    token: TOKEN,
    account: "acc123",
    dialect: "neutral",
    clock,
    ...(perMinute !== undefined && { pace: createCallPace(clock, perMinute) }),
    random: () => 0.5,
    sleep: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    ...options,
  });
  return { client, pauses };
}
