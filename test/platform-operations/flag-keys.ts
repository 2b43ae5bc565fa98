import { expect } from "vitest";
import { flagKeys } from "../../src/platform/contract/flag-keys.ts";
import type { OperationCases, Stage } from "./case.ts";

const ENVIRONMENT = {
  orgIdentifier: "acme",
  projectIdentifier: "payments",
  environmentIdentifier: "production",
};
const KEY = { identifier: "sdk", name: "SDK", type: "Server" } as const;
const ONE = { params: { identifier: "sdk" }, query: ENVIRONMENT };
const NOBODY = { ...ONE, params: { identifier: "nobody" } };
const UUID = /^[0-9a-f-]{36}$/;
const created = (stage: Stage) => stage.call(flagKeys.createFlagKey, { query: ENVIRONMENT, body: KEY });

const missing = { input: NOBODY, says: "no key with this identifier", code: "404" };

/** Keys of environments (document 1, 4.1). */
export const flagKeyCases: OperationCases<typeof flagKeys> = {
  listFlagKeys: {
    arrange: created,
    input: { query: { ...ENVIRONMENT, pageNumber: 0, pageSize: 10 } },
    expect: (value) =>
      expect(value).toMatchObject({
        itemCount: 1,
        pageCount: 1,
        pageIndex: 0,
        pageSize: 10,
        version: 1,
        apiKeys: [{ identifier: "sdk", type: "server" }],
      }),
    errors: {
      404: { never: "an environment that nobody wrote to has no keys" },
    },
    limits: [
      { at: "query.pageSize", good: [1, 100] },
      { at: "query.pageNumber", good: [0, 7] },
    ],
  },

  createFlagKey: {
    input: { query: ENVIRONMENT, body: KEY },
    expect: async (value, stage) => {
      expect(value).toMatchObject({ apiKey: expect.stringMatching(/^[0-9a-f-]{36}$/), type: "server" });
      const { apiKeys } = await stage.call(flagKeys.listFlagKeys, { query: ENVIRONMENT });
      // One of the two names the record and stays; the other is the secret, which the dialects do not call alike.
      const [record, secret] = UUID.test(value.key ?? "")
        ? (["apiKey", "key"] as const)
        : (["key", "apiKey"] as const);
      expect(apiKeys.map((one) => one[record])).toEqual([value[record]]);
      expect(apiKeys.map((one) => one[secret])).toEqual([expect.stringMatching(/^\*{8}-/)]);
    },
    errors: {
      409: { arrange: created, input: { query: ENVIRONMENT, body: KEY }, says: "identifier", code: "409" },
    },
    limits: [
      { at: "body.identifier", good: ["i", "i".repeat(128)], bad: ["a/b", ".."] },
      { at: "body.name", good: ["n", "n".repeat(128)] },
      { at: "body.type", good: ["Client"], bad: ["client", "Other"] },
      { at: "body.description", good: ["", "d".repeat(1024)] },
      { at: "body.expiredAt", good: [0, 253_402_300_799], bad: [-1, 1.5, 253_402_300_800] },
    ],
  },

  getFlagKey: {
    arrange: created,
    input: ONE,
    expect: (value) => expect(value).toMatchObject({ identifier: "sdk", name: "SDK", expiredAt: 0 }),
    errors: { 404: missing },
  },

  updateFlagKey: {
    arrange: created,
    input: { ...ONE, body: { name: "Renamed", description: "d", expiredAt: 5 } },
    expect: async (_, stage) => {
      const { apiKeys } = await stage.call(flagKeys.listFlagKeys, { query: ENVIRONMENT });
      expect(apiKeys).toMatchObject([{ name: "Renamed", description: "d", expiredAt: 5 }]);
    },
    errors: {
      404: { ...missing, input: { ...NOBODY, body: {} } },
      409: { never: "nothing that a key must not share can be changed" },
    },
  },

  deleteFlagKey: {
    arrange: created,
    input: ONE,
    expect: async (_, stage) =>
      expect(await stage.call(flagKeys.listFlagKeys, { query: ENVIRONMENT })).toMatchObject({ itemCount: 0 }),
    errors: { 404: missing },
  },
};
