import { z } from "zod";
import { declareEndpoint } from "../../src/platform/contract/endpoint.ts";
import {
  createIntegerText,
  createTokenSchema,
  openTokens,
  wrapInEnvelope,
} from "../../src/platform/contract/shapes/fields.ts";

const shared = { area: "test", summary: "", source: "a test", status: 200, errors: [404] } as const;

/** A member of each kind that a form may have. */
export const Thing = z.object({
  name: z.string().max(40),
  size: z.number().optional(),
  on: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  sizes: z.array(z.number()).optional(),
  more: z.object({ deep: z.array(z.number()) }).optional(),
  parts: z.array(z.object({ a: z.string() })).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  nothing: z.null().optional(),
});

const cloud = createTokenSchema("cloud", ["CLOUD_1", "CLOUD_2"]);
const Cost = z.object({
  cloud1Accounts: z.array(z.string()).optional(),
  cloudProvider: cloud.optional(),
  clusters: z.array(z.object({ csClusterName: z.string(), clusterName: z.string().optional() })).optional(),
  tags: z.record(z.string(), z.string()).optional(),
});

const thing = { ...shared, api: "flags", path: "/cf/admin/thing" } as const;
const things = { ...shared, api: "code", path: "/code/api/v1/things" } as const;
const cost = { ...shared, api: "cost" } as const;
const HOOKS = "/har/api/v1/registry/{registry_ref}/webhooks" as const;
const hooks = { ...shared, api: "registry", slashes: ["registry_ref"], response: z.unknown() } as const;
const ofRegistry = { registry_ref: z.string() };
const inProject = {
  ...shared,
  api: "provisioning",
  path: "/api/orgs/{org}/projects/{project}/thing",
  params: z.object({ org: z.string(), project: z.string() }),
} as const;
const other = { ...shared, api: "tollgate", path: "/tollgate/v1/other" } as const;
const sizes = z.array(z.object({ size: z.number() }));

/** Endpoints of the server's own tests: one or two of each service. */
export const serverContract = {
  makeThing: declareEndpoint({ ...thing, operation: "make", method: "POST", body: Thing, response: Thing }),
  getThing: declareEndpoint({
    ...{ ...thing, operation: "get", method: "GET", response: Thing },
    query: z.object({
      size: createIntegerText(1, 9).default(1),
      orgIdentifier: z.string().optional(),
      projectIdentifier: z.string().optional(),
    }),
  }),
  listThings: declareEndpoint({ ...things, operation: "list", method: "GET", response: z.array(Thing) }),
  dropThing: declareEndpoint({
    ...{ ...things, operation: "drop", method: "DELETE", response: "empty", status: 204 },
  }),
  breakCode: declareEndpoint({
    ...{ ...things, path: "/code/api/v1/break", operation: "break", method: "GET", response: "empty" },
  }),
  askCost: declareEndpoint({
    ...{ ...cost, operation: "ask", method: "POST", path: "/things", body: Cost },
    query: z.object({ cloudProvider: z.array(cloud).optional() }),
    response: wrapInEnvelope(
      Cost.extend({
        cloudProvider: openTokens("cloud", ["CLOUD_1", "CLOUD_2"]).optional(),
        asked: z.array(z.string()),
      }),
    ),
  }),
  mayCost: declareEndpoint({
    ...{ ...cost, operation: "may", method: "POST", path: "/maybe", body: Cost.optional() },
    response: wrapInEnvelope(z.string()),
  }),
  listCost: declareEndpoint({
    ...{ ...cost, operation: "list", method: "POST", path: "/lists", body: sizes, response: sizes },
  }),
  breakCost: declareEndpoint({
    ...{ ...cost, operation: "break", method: "GET", path: "/break", response: wrapInEnvelope(z.null()) },
  }),
  listHooks: declareEndpoint({
    ...{ ...hooks, operation: "list", method: "GET", path: HOOKS, params: z.object(ofRegistry) },
  }),
  getHook: declareEndpoint({
    ...{ ...hooks, operation: "get", method: "GET", path: `${HOOKS}/{webhook_identifier}` },
    params: z.object({ ...ofRegistry, webhook_identifier: z.string().max(20) }),
  }),
  listRuns: declareEndpoint({
    ...{ ...hooks, operation: "runs", method: "GET", path: `${HOOKS}/{webhook_identifier}/executions` },
    params: z.object({ ...ofRegistry, webhook_identifier: z.string() }),
  }),
  breakHook: declareEndpoint({
    ...{ ...hooks, operation: "break", method: "PUT", path: HOOKS, params: z.object(ofRegistry) },
    response: "empty",
  }),
  getOrg: declareEndpoint({ ...inProject, operation: "get", method: "GET", response: z.unknown() }),
  putOrg: declareEndpoint({ ...inProject, operation: "put", method: "PUT", body: Thing, response: Thing }),
  other: declareEndpoint({ ...other, operation: "other", method: "GET", response: z.unknown() }),
  putOther: declareEndpoint({
    ...{ ...other, operation: "put-other", method: "PUT", body: Thing, response: "empty" },
  }),
} as const;
