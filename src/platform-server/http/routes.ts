import type { ApiName, Contract, Endpoint, EndpointReply } from "../../platform/contract/endpoint.ts";
import { sortNamesByRoute } from "../../platform/contract/registry.ts";
import type { Right } from "../../store/rights.ts";
import type { Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { type InputReader, readInput } from "./read-input.ts";

/** A handler without its endpoint's types, for the router. */
export type AnyHandler = (
  input: unknown,
  context: Context,
) => EndpointReply<Endpoint> | Promise<EndpointReply<Endpoint>>;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
  readonly read: InputReader<unknown>;
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
  readers: Readonly<Record<string, InputReader<unknown> | undefined>> = {},
): Routes {
  const routes = sortNamesByRoute(all).flatMap((name) => {
    const endpoint = all[name];
    const handler = handlers[name];
    if (endpoint === undefined || handler === undefined) return [];
    const read: InputReader<unknown> = readers[name] ?? ((raw) => readInput(endpoint, raw));
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

/** Decodes the path parameters. @throws Refusal */
export function decodeParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    refuse("bad_request", "the path is not percent-encoded UTF-8");
  }
}

export interface ServicePath {
  readonly api: ApiName;
  readonly path: string;
}

interface Service {
  readonly api: ApiName;
  readonly at: RegExp;
  /** What stands before the contract's paths; services with a gateway prefix answer below each form of it. */
  readonly prefix: RegExp;
}

// Where each service answers: as the documents write it, and under the gateway paths of the running service.
const SERVICES: readonly Service[] = [
  { api: "cost", at: /^(\/gateway)?\/ccm(\/|$)/, prefix: /^(\/gateway)?\/ccm\/api(?=\/)/ },
  { api: "flags", at: /^\/cf\/admin(\/|$)/, prefix: /^/ },
  { api: "registry", at: /^\/har\/api(\/|$)/, prefix: /^/ },
  { api: "code", at: /^\/code\/api(\/|$)/, prefix: /^/ },
  {
    api: "tollgate",
    at: /^((\/gateway)?\/iacm)?\/tollgate\/v1(\/|$)/,
    prefix: /^((\/gateway)?\/iacm)?(?=\/tollgate)/,
  },
  {
    api: "provisioning",
    at: /^(\/gateway)?\/iacm(\/|$)|^\/api\/orgs(\/|$)/,
    prefix: /^((\/gateway)?\/iacm)?(?=\/)/,
  },
];

/** Finds the service of a path; null: there is none. `pathname` has no query. */
export function findServicePath(pathname: string): ServicePath | null {
  const service = SERVICES.find(({ at }) => at.test(pathname));
  return service === undefined ? null : { api: service.api, path: pathname.replace(service.prefix, "") };
}
