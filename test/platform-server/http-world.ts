import { createBodyMemory } from "../../src/kernel/body-memory.ts";
import { createSuccess } from "../../src/platform/contract/shapes/fields.ts";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import type { Area } from "../../src/platform-server/area/area.ts";
import { refuse } from "../../src/platform-server/area/problem.ts";
import { answer } from "../../src/platform-server/http/answer.ts";
import { type AnyHandler, createRoutes } from "../../src/platform-server/http/routes.ts";
import type { Right } from "../../src/store/rights.ts";
import { createToken, type TokenGrant } from "../../src/store/tokens.ts";
import type { TestEngine } from "../world/engines.ts";
import { serverContract } from "./http-contract.ts";
import { ACCOUNT, closeServer, listen, START_MS } from "./platform-world.ts";

const boom = () => {
  throw new Error("the disk is on fire");
};

const handlers: Area<typeof serverContract> = {
  makeThing: ({ body }) => {
    if (body.name === "nobody") refuse("not_found", "there is no such thing");
    if (body.name === "undeclared") refuse("locked", "its endpoint does not declare this status");
    return { body };
  },
  getThing: ({ query }, { token }) => ({ body: { name: token.account, size: query.size } }),
  listThings: () => ({ body: [{ name: "a", size: 1 }, { name: "b" }] }),
  dropThing: () => ({ body: undefined }),
  breakCode: boom,
  askCost: ({ body, query }, context) => ({
    body: createSuccess({ ...body, asked: query.cloudProvider ?? [] }, context),
  }),
  mayCost: ({ body }, context) => ({
    body: createSuccess(body === undefined ? "nothing" : "something", context),
  }),
  listCost: ({ body }) => ({ body }),
  breakCost: boom,
  listHooks: ({ params }) => ({ body: { list: params } }),
  getHook: ({ params }) => ({ body: { hook: params } }),
  listRuns: ({ params }) => ({ body: { runs: params } }),
  breakHook: boom,
  getOrg: ({ params }) => ({ body: params }),
  putOrg: ({ body }) => ({ body }),
  other: () => ({ body: {} }),
  putOther: () => ({ body: undefined }),
};

export interface HttpWorld {
  readonly url: string;
  readonly key: string;
  readonly errors: unknown[];
  token(grant: TokenGrant): Promise<string>;
  /** A request with the account's token; what else it needs is the caller's to say. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const rights: Readonly<Record<string, Right>> = {
  ...Object.fromEntries(Object.keys(serverContract).map((name) => [name, "account"] as const)),
  ...{ makeThing: "project", getThing: "project", getOrg: "project", putOrg: "project" },
};

/** The platform's server alone, in front of `serverContract`. Calls are named call-1, call-2 and so on. */
export async function openHttpWorld(
  engine: TestEngine,
  dialect: DialectName = "neutral",
): Promise<HttpWorld> {
  const store = await engine.open();
  const clock = { now: () => START_MS, monotonicMs: () => START_MS };
  const errors: unknown[] = [];
  let calls = 0;
  const bodies = createBodyMemory(64_000_000);
  const server: Parameters<typeof answer>[0] = {
    // None of these handlers needs more.
    deps: { db: store.db, clock, dialect, bodies } as Parameters<typeof answer>[0]["deps"],
    // Each handler is given what its endpoint reads.
    routes: createRoutes(serverContract, handlers as unknown as Readonly<Record<string, AnyHandler>>, rights),
    newId: () => `call-${++calls}`,
    onError: (error) => errors.push(error),
  };
  const { server: listening, url } = await listen((request) => answer(server, request));
  const token = async (grant: TokenGrant) => (await createToken(store.db, grant, clock)).secret;
  const key = await token({ purpose: "api", account: ACCOUNT });
  return {
    url,
    key,
    errors,
    token,
    fetch: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { "x-api-key": key, ...init.headers } }),
    close: async () => {
      closeServer(listening);
      await store.close();
    },
  };
}
