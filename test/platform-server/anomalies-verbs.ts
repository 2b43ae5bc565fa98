import { anomalyImport } from "../../src/platform-server/anomalies/import.ts";
import { ACCOUNT, bring, type PlatformAnswer, type PlatformWorld } from "./platform-world.ts";

export const COST_API = "/gateway/ccm/api";

/** An anomaly as a line of an import; what matters to a test is given. */
export const anomaly = (id: string, more: object = {}) => ({
  id,
  time: Date.UTC(2025, 11, 20),
  actualAmount: 150,
  expectedAmount: 100,
  cloudProvider: "CLOUD_1",
  ...more,
});

/** What a person does with anomalies, over the wire. */
export function anomalyVerbs(world: () => PlatformWorld, account = ACCOUNT) {
  const at = (path: string, query: Readonly<Record<string, string>> = {}) =>
    `${COST_API}/anomaly/v2${path}?${new URLSearchParams({ accountIdentifier: account, ...query })}`;
  const ask = (path: string, request: object): Promise<PlatformAnswer> =>
    world().call("POST", at(path), { json: request });
  const answered = async (path: string, request: object) => {
    const { status, body } = await ask(path, request);
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    return body.data;
  };
  return {
    ask,
    bring: (...lines: readonly object[]) => bring(world(), anomalyImport, { lines, account }),
    list: (filter: object = {}, more: object = {}) =>
      answered("/list", { anomalyFilterPropertiesDTO: filter, ...more }),
    /** Ids of the anomalies listed, in order. */
    ids: async (filter: object = {}, more: object = {}): Promise<string[]> => {
      const request = { anomalyFilterPropertiesDTO: { limit: 1000, ...filter }, ...more };
      return (await answered("/list", request)).map(({ id }: { id: string }) => id);
    },
    metrics: (request: object = {}) => answered("/metrics", request),
    summary: (request: object = {}) => answered("/summary", request),
    timeSeries: (request: object = {}) => answered("/metrics/time-series", request),
    meanResolution: (request: object = {}) => answered("/mean-resolution-time", request),
    setStatus: (query: Readonly<Record<string, string>>) => world().call("PUT", at("/update/status", query)),
    setFeedback: (query: Readonly<Record<string, string>>) =>
      world().call("PUT", at("/update/feedback", query)),
  };
}
