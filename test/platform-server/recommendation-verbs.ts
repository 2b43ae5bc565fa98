import type { z } from "zod";
import { recommendationsImport } from "../../src/platform-server/recommendations/import.ts";
import { importRows } from "../world/import-rows.ts";
import { ACCOUNT, type PlatformAnswer, type PlatformWorld } from "./platform-world.ts";

/** One line of an import, as it was read. */
export type ImportedLine = z.output<typeof recommendationsImport.line>;

/** A recommendation that names only what matters. */
export const recommendation = (id: string, over: object = {}): ImportedLine =>
  recommendationsImport.line.parse({ id, resourceType: "WORKLOAD", ...over });

/** Imports recommendations into an account. */
export async function imports(
  world: PlatformWorld,
  lines: readonly ImportedLine[],
  account = ACCOUNT,
): Promise<void> {
  for (let from = 0; from < lines.length; from += 1000)
    await importRows(world.store, recommendationsImport, account, lines.slice(from, from + 1000));
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly account?: string;
  readonly key?: string;
}

/** Calls an operation of recommendations by the rest of its path. */
export function asks(world: PlatformWorld, operation: string, asked: Asked = {}): Promise<PlatformAnswer> {
  const { query = {}, json, account = ACCOUNT, key } = asked;
  const [method = "", path = ""] = operation.split(" ");
  const target = `/gateway/ccm/api/recommendation${path}?${new URLSearchParams({ accountIdentifier: account, ...query })}`;
  return world.call(method, target, { json, account, ...(key === undefined ? {} : { key }) });
}

export const list = (world: PlatformWorld, filter: object = {}) =>
  asks(world, "POST /overview/list", { json: filter });

/** Ids of what a filter finds, in order. */
export async function found(world: PlatformWorld, filter: object = {}): Promise<readonly string[]> {
  const answer = await list(world, { limit: 1000, ...filter });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.items.map(({ id }: { id: string }) => id);
}

export const changeState = (
  world: PlatformWorld,
  { recommendationId, state, ...json }: { recommendationId: string; state: string; appliedSavings?: unknown },
) => asks(world, "POST /overview/change-state", { query: { recommendationId, state }, json });

export const infer = (world: PlatformWorld, json: object) =>
  asks(world, "POST /overview/change-inference-status", { json });

export const override = (world: PlatformWorld, recommendationId: string, overriddenSavings: string) =>
  asks(world, "PUT /overview/override-savings", { query: { recommendationId, overriddenSavings } });
