import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { count, createIntegerText, identifier, list, openEnum } from "./shapes/fields.ts";

/** `server`: for SDKs that can store a secret; `client`: for SDKs whose contents are public. */
const FLAG_KEY_TYPES = ["server", "client"] as const;
/** The same values, as requests write them. */
const WRITTEN_TYPES = ["Server", "Client"] as const;

const seconds = z.int().min(0);

/** Key of an environment (document 1, 2.4). */
export const FlagKey = z
  .object({
    apiKey: z
      .string()
      .describe(
        "Identifier of the record, UUID-shaped; opens nothing. In the live dialect the secret, as `key` is here.",
      ),
    identifier: z.string(),
    name: z.string(),
    description: z.string().optional(),
    key: z
      .string()
      .optional()
      .describe(
        "The secret, UUID-shaped. Whole in the answer that created it and nowhere else; later all but its last four characters are stars. In the live dialect the first 18 hex characters of its SHA-256, which open nothing.",
      ),
    type: openEnum(FLAG_KEY_TYPES),
    lastUsed: seconds.optional().describe("Unix seconds, to the minute; absent: never used."),
    expiredAt: seconds.optional().describe("Unix seconds from which on the key is refused; 0: never."),
    applicationIds: list(z.object({ applicationId: z.string(), lastUsed: seconds })).describe(
      "Applications that were seen to use it; the embedded platform evaluates no flags and knows none.",
    ),
  })
  .meta({ id: "FlagKey" });
export type FlagKey = z.output<typeof FlagKey>;

const name = z.string().min(1).max(128).describe("1 to 128 characters.");
const description = z.string().max(1024).describe("Free text, up to 1,024 characters.");
const expiredAt = seconds
  .max(253_402_300_799)
  .describe("Unix seconds from which on the key is refused; 0: never.");

const FlagKeyToCreate = z.object({
  identifier: z
    .string()
    .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.$-]{1,128}$/, "expected 1 to 128 of the characters A-Z a-z 0-9 _ . $ -")
    .describe("Unique within the environment; 1 to 128 of A-Z a-z 0-9 _ . $ -"),
  name,
  type: z.enum(WRITTEN_TYPES),
  description: description.optional(),
  expiredAt: expiredAt.default(0),
});

const FlagKeyToUpdate = z.object({
  name: name.optional(),
  description: description.optional(),
  expiredAt: expiredAt.optional(),
});

/** The environment that keys belong to; on every operation. */
const ENVIRONMENT = {
  orgIdentifier: identifier,
  projectIdentifier: identifier,
  environmentIdentifier: identifier,
};
const scope = z.object(ENVIRONMENT);

const common = {
  api: "flags",
  area: "feature-flag-keys",
  source: "document 1, 2.4 and 4.1",
  query: scope,
  status: 200,
  errors: [404],
} as const;
const KEYS = "/cf/admin/apikey";

const one = { ...common, path: `${KEYS}/{identifier}`, params: z.object({ identifier }) } as const;

/** Keys of environments for feature-flag SDKs (document 1, 4.1). */
export const flagKeys = {
  listFlagKeys: declareEndpoint({
    ...common,
    operation: "list",
    method: "GET",
    path: KEYS,
    summary: "Keys of an environment",
    description:
      "By identifier. Expired keys are among them. An environment without writes has none; a page beyond the last is empty.",
    query: z.object({
      ...ENVIRONMENT,
      pageNumber: createIntegerText(0).default(0).describe("Counts from 0."),
      pageSize: createIntegerText(1, 100).default(30).describe("1 to 100, default 30."),
    }),
    response: z
      .object({
        itemCount: count.describe("Keys of the environment."),
        pageCount: count,
        pageIndex: count.describe("Counts from 0."),
        pageSize: count,
        version: count
          .optional()
          .describe("Grows with each write of a key of the environment; 0: never written to."),
        apiKeys: list(FlagKey),
      })
      .meta({ id: "FlagKeyList" }),
    pagination: {
      ask: { by: "page", in: "query", page: "pageNumber", size: "pageSize", first: 0 },
      items: ["apiKeys"],
      total: { in: "body", path: ["itemCount"] },
    },
  }),
  createFlagKey: declareEndpoint({
    ...common,
    operation: "create",
    method: "POST",
    path: KEYS,
    summary: "Make a key",
    description:
      "Only this response contains the key in clear; the platform stores its hash. An identifier that the environment has already, expired keys included, is a conflict.",
    body: FlagKeyToCreate,
    response: FlagKey,
    status: 201,
    errors: [409],
  }),
  getFlagKey: declareEndpoint({
    ...one,
    operation: "get",
    method: "GET",
    summary: "One key, masked",
    response: FlagKey,
  }),
  updateFlagKey: declareEndpoint({
    ...one,
    operation: "update",
    method: "PUT",
    summary: "Change name, description or expiry of a key",
    description:
      "Members that are left out stay as they are. The key itself, its identifier and its type never change. An expired key may be given a later expiry, or none.",
    body: FlagKeyToUpdate,
    response: "empty",
    errors: [404, 409],
  }),
  deleteFlagKey: declareEndpoint({
    ...one,
    operation: "delete",
    method: "DELETE",
    summary: "Delete a key",
    description: "It is refused from now on, and its identifier is free again.",
    response: "empty",
    status: 204,
  }),
} as const satisfies Contract;
