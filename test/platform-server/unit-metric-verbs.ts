import type { ImportKind } from "../../src/platform-server/area/import-kind.ts";
import { ACCOUNT, bring, type PlatformAnswer, type PlatformWorld } from "./platform-world.ts";

export type Values = [time: string, value: number][];

/** What a person does with unit metrics, over the wire. */
export interface Verbs {
  create(more?: object): Promise<PlatformAnswer>;
  update(more?: object): Promise<PlatformAnswer>;
  get(range: { from: string; to: string; by?: string; metric?: string }): Promise<PlatformAnswer>;
  /** The values of a range as pairs. */
  values(range: { from: string; to: string; by?: string; metric?: string }): Promise<Values>;
  remove(query: Readonly<Record<string, string>>): Promise<PlatformAnswer>;
  list(query?: Readonly<Record<string, string>>): Promise<PlatformAnswer>;
  perspective(
    asked: { id: string; from?: string; to?: string; override?: boolean; by?: string; metric?: string },
    filters?: readonly object[],
  ): Promise<PlatformAnswer>;
  imports<Row>(kind: ImportKind<Row>, lines: readonly object[], account?: string): Promise<void>;
}

export function verbsOf(world: () => PlatformWorld, account = ACCOUNT): Verbs {
  const at = (path: string, query: Readonly<Record<string, string>>) =>
    `/gateway/ccm/api/unit-metric${path}?${new URLSearchParams({ accountIdentifier: account, ...query })}`;
  const call = (method: string, target: string, json?: unknown) => world().call(method, target, { json });
  const request = (more: object) => ({ metricIdentifier: "users", metricName: "Users", ...more });
  const get: Verbs["get"] = ({ from, to, by, metric = "users" }) =>
    call(
      "GET",
      at("", {
        metricIdentifier: metric,
        startTime: from,
        endTime: to,
        ...(by ? { timeTruncGroupBy: by } : {}),
      }),
    );
  return {
    create: (more = {}) => call("POST", at("", {}), request(more)),
    update: (more = {}) => call("PUT", at("", {}), request(more)),
    get,
    values: async (range) => pairs(await get(range)),
    remove: (query) => call("DELETE", at("", query)),
    list: (query = {}) => call("GET", at("/list", query)),
    perspective: (asked, filters = []) => {
      const {
        id,
        from = "2026-01-01T00:00:00Z",
        to = "2026-01-31T23:59:59Z",
        override,
        by,
        metric = "spend",
      } = asked;
      const query = {
        metricIdentifier: metric,
        startTime: from,
        endTime: to,
        ...(override === undefined ? {} : { overrideFilter: `${override}` }),
        ...(by ? { timeTruncGroupBy: by } : {}),
      };
      return call("POST", at(`/perspective/${id}`, query), filters);
    },
    imports: (kind, lines, owner = account) => bring(world(), kind, { lines, account: owner }),
  };
}

/** A record as it is uploaded. */
export const record = (usageTimeStamp: string, value: number) => ({ usageTimeStamp, value });

export function pairs({ status, body }: PlatformAnswer): Values {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body.data.unitMetricRecords.map((one: { usageTimeStamp: string; value: number }) => [
    one.usageTimeStamp,
    one.value,
  ]);
}
