import type { LoggedRequest } from "../../sandbox/http/request-log.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

export interface GitHubCalls {
  readonly total: number;
  /** By route and GraphQL operation, the most frequent first. */
  readonly byRoute: readonly (readonly [string, number])[];
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
    byRoute: countEach(calls.map(describe)),
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

const describe = ({ method, path, operation }: LoggedRequest): string =>
  operation === null
    ? `${method} ${path
        .replace(/\?.*/, "")
        .replace(/[0-9a-f]{40}|\d+/g, "…")
        .replace(/(repos|repositories)\/[^/]+(\/service-…)?/, "$1/…")}`
    : `GraphQL ${operation}`;

function countEach(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

const greatest = (keys: readonly (string | number)[]): number => countEach(keys.map(String))[0]?.[1] ?? 0;
