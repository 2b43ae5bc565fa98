import type { Contract, Endpoint, EndpointReply } from "../../platform/contract/endpoint.ts";
import { sortNamesByRoute } from "../../platform/contract/registry.ts";
import type { Right } from "../../store/rights.ts";
import type { Context } from "../area/deps.ts";
import type { Problem } from "../area/problem.ts";
import type { AccessTables } from "./access.ts";
import type { ServicePath } from "./read-input.ts";
import { type RawInput, type ReadInput, readInput } from "./read-input.ts";

/** A handler without its endpoint's types, for the router. */
export type AnyHandler = (input: unknown, context: Context<AccessTables>) => Reply | Promise<Reply>;
type Reply = EndpointReply<Endpoint> | Problem;

/** Parses and validates a request to one endpoint, and makes the input of its handler. */
export type InputReader = (raw: RawInput) => Promise<ReadInput<unknown> | Problem>;

/** An endpoint with its handler. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
  readonly read: InputReader;
  /** Absent: the operation is refused. */
  readonly right: Right | undefined;
}

export interface Match extends Route {
  /** As in the path: still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the endpoint for a method and a path; null: there is none. */
export type Routes = (method: string, place: ServicePath) => Match | null;

const PIECE = "([^/]+)";
/** A registry's reference: pieces and a plus sign as the last, with slashes as they are or encoded. No other piece is a plus sign. */
const REFERENCE = "((?:(?!\\+/)[^/]+/)+(?:\\+|%2[bB])|[^/]*%2[fF](?:\\+|%2[bB]))";

/** Creates the router. `rights`: by name. `readers`: by name, where a handler's input is not what `readInput` returns. */
export function createRoutes(
  all: Contract,
  handlers: Readonly<Record<string, AnyHandler | undefined>>,
  rights: Readonly<Record<string, Right | undefined>>,
  readers: Readonly<Record<string, InputReader | undefined>> = {},
): Routes {
  const routes = sortNamesByRoute(all).flatMap((name) => {
    const endpoint = all[name];
    const handler = handlers[name];
    if (endpoint === undefined || handler === undefined) return [];
    const read: InputReader = readers[name] ?? ((raw) => readInput(endpoint, raw));
    return [{ route: { endpoint, handler, read, right: rights[name] }, pattern: buildPathPattern(endpoint) }];
  });
  return (method, { api, path }) => {
    for (const { route, pattern } of routes) {
      const { endpoint } = route;
      if (endpoint.method !== method || endpoint.api !== api) continue;
      const found = pattern.exec(path);
      if (found !== null) return { ...route, params: nameParameters(endpoint, found.slice(1)) };
    }
    return null;
  };
}

const PARAMETER = /\{(\w+)\}/g;

const buildPathPattern = ({ path, slashes = [] }: Endpoint): RegExp =>
  new RegExp(
    `^${path.replaceAll(".", "\\.").replace(PARAMETER, (_, name) => (slashes.includes(name) ? REFERENCE : PIECE))}$`,
  );

const nameParameters = ({ path }: Endpoint, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(PARAMETER)].map(([, name = ""], index) => [name, values[index] ?? ""]),
  );

/** Decodes the path parameters; null: one is not percent-encoded UTF-8. */
export function decodeParams(
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | null {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return null;
  }
}
