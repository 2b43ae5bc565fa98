import { z } from "zod";
import { endpoint } from "../../src/platform/contract/endpoint.ts";
import { wrapped } from "../../src/platform/contract/shapes/cost-envelope.ts";
import { integerText, openTokens, tokens } from "../../src/platform/contract/shapes/fields.ts";

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

const Cost = z.object({
  cloud1Accounts: z.array(z.string()).optional(),
  cloudProvider: tokens("cloud", ["CLOUD_1", "CLOUD_2"]).optional(),
  clusters: z.array(z.object({ csClusterName: z.string(), clusterName: z.string().optional() })).optional(),
  tags: z.record(z.string(), z.string()).optional(),
});

/** Endpoints of the door's own tests: one or two of each service. */
export const doorContract = {
  makeThing: endpoint({
    ...shared,
    api: "flags",
    operation: "make",
    method: "POST",
    path: "/cf/admin/thing",
    body: Thing,
    response: Thing,
  }),
  getThing: endpoint({
    ...shared,
    api: "flags",
    operation: "get",
    method: "GET",
    path: "/cf/admin/thing",
    query: z.object({
      size: integerText(1, 9).default(1),
      orgIdentifier: z.string().optional(),
      projectIdentifier: z.string().optional(),
    }),
    response: Thing,
  }),
  listThings: endpoint({
    ...shared,
    api: "code",
    operation: "list",
    method: "GET",
    path: "/code/api/v1/things",
    response: z.array(Thing),
  }),
  dropThing: endpoint({
    ...shared,
    api: "code",
    operation: "drop",
    method: "DELETE",
    path: "/code/api/v1/things",
    response: "empty",
    status: 204,
  }),
  breakCode: endpoint({
    ...shared,
    api: "code",
    operation: "break",
    method: "GET",
    path: "/code/api/v1/break",
    response: "empty",
  }),
  askCost: endpoint({
    ...shared,
    api: "cost",
    operation: "ask",
    method: "POST",
    path: "/things",
    query: z.object({ cloudProvider: z.array(tokens("cloud", ["CLOUD_1", "CLOUD_2"])).optional() }),
    body: Cost,
    response: wrapped(
      Cost.extend({
        cloudProvider: openTokens("cloud", ["CLOUD_1", "CLOUD_2"]).optional(),
        asked: z.array(z.string()),
      }),
    ),
  }),
  mayCost: endpoint({
    ...shared,
    api: "cost",
    operation: "may",
    method: "POST",
    path: "/maybe",
    body: Cost.optional(),
    response: wrapped(z.string()),
  }),
  breakCost: endpoint({
    ...shared,
    api: "cost",
    operation: "break",
    method: "GET",
    path: "/break",
    response: wrapped(z.null()),
  }),
  listHooks: endpoint({
    ...shared,
    api: "registry",
    operation: "list",
    method: "GET",
    path: "/har/api/v1/registry/{registry_ref}/webhooks",
    params: z.object({ registry_ref: z.string() }),
    slashes: ["registry_ref"],
    response: z.unknown(),
  }),
  getHook: endpoint({
    ...shared,
    api: "registry",
    operation: "get",
    method: "GET",
    path: "/har/api/v1/registry/{registry_ref}/webhooks/{webhook_identifier}",
    params: z.object({ registry_ref: z.string(), webhook_identifier: z.string().max(20) }),
    slashes: ["registry_ref"],
    response: z.unknown(),
  }),
  listRuns: endpoint({
    ...shared,
    api: "registry",
    operation: "runs",
    method: "GET",
    path: "/har/api/v1/registry/{registry_ref}/webhooks/{webhook_identifier}/executions",
    params: z.object({ registry_ref: z.string(), webhook_identifier: z.string() }),
    slashes: ["registry_ref"],
    response: z.unknown(),
  }),
  breakHook: endpoint({
    ...shared,
    api: "registry",
    operation: "break",
    method: "PUT",
    path: "/har/api/v1/registry/{registry_ref}/webhooks",
    params: z.object({ registry_ref: z.string() }),
    slashes: ["registry_ref"],
    response: "empty",
  }),
  getOrg: endpoint({
    ...shared,
    api: "provisioning",
    operation: "get",
    method: "GET",
    path: "/api/orgs/{org}/projects/{project}/thing",
    params: z.object({ org: z.string(), project: z.string() }),
    response: z.unknown(),
  }),
  putOrg: endpoint({
    ...shared,
    api: "provisioning",
    operation: "put",
    method: "PUT",
    path: "/api/orgs/{org}/projects/{project}/thing",
    params: z.object({ org: z.string(), project: z.string() }),
    body: Thing,
    response: Thing,
  }),
  other: endpoint({
    ...shared,
    api: "tollgate",
    operation: "other",
    method: "GET",
    path: "/tollgate/v1/other",
    response: z.unknown(),
  }),
} as const;
