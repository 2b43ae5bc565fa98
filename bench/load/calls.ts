import type { LoggedRequest } from "../../sandbox/http/request-log.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

export interface GitHubCalls {
  readonly total: number;
  /** Calls of the installation that called most. */
  readonly mostOfOneInstallation: number;
  /** Most writes of one installation within any second and any minute of the clock. */
  readonly mostWritesInSecond: number;
  readonly mostWritesInMinute: number;
  readonly refused: number;
}

/** Counts what GitHub was asked, from the sandbox's log. */
export function countCalls({ requests }: Sandbox): GitHubCalls {
  const calls = requests.list();
  const writes = calls.filter(isWrite);
  const windowed = (ms: number) =>
    writes.map(({ installationId, at }) => `${installationId} ${Math.floor(at / ms)}`);
  return {
    total: calls.length,
    mostOfOneInstallation: greatest(calls.flatMap(({ installationId }) => installationId ?? [])),
    mostWritesInSecond: greatest(windowed(1_000)),
    mostWritesInMinute: greatest(windowed(60_000)),
    refused: calls.filter(({ status }) => status === 403 || status === 429).length,
  };
}

const isWrite = ({ method, path, operation, installationId }: LoggedRequest): boolean =>
  installationId !== null &&
  method !== "GET" &&
  (!path.startsWith("/graphql") || /check|write|mutat/i.test(operation ?? ""));

/** How often the most frequent key occurs. */
function greatest(keys: readonly (string | number)[]): number {
  const counts = Map.groupBy(keys, (key) => key).values();
  return Math.max(0, ...counts.map(({ length }) => length));
}
