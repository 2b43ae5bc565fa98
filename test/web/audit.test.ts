import type { KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { appendRecord } from "../../src/store/audit/decisions.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Store } from "../../src/store/open.ts";
import { KEY_HEADER } from "../../src/web/local/operation.ts";
import { createLocalRoutes } from "../../src/web/local/routes.ts";
import { READ_AUDIT } from "../../src/web/local/stored-facts.ts";
import { usualEngine } from "../world/engines.ts";

/** More than are read at once. */
const DECISIONS = 1_200;

const LOOPBACK = { incoming: { socket: { remoteAddress: "127.0.0.1" }, headers: {} } };

describe("the audit chain over HTTP", () => {
  let store: Store;
  let failing = false;
  const failures: unknown[] = [];
  const breakable: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (failing) throw new RangeError("the database is gone");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const requestAudit = async (): Promise<Response> => {
    const onError = (error: unknown) => failures.push(error);
    const deps = { db: store.db.withPlugin(breakable), clock: systemClock, account: "acc" };
    const routes = createLocalRoutes({ ...deps, key: "key", onError });
    const headers = { [KEY_HEADER]: "key", "content-type": "application/json" };
    const body = JSON.stringify({ repository: null, fromMs: null, toMs: null });
    return routes.request(READ_AUDIT.path, { method: "POST", headers, body }, LOOPBACK);
  };
  const readerOf = ({ body }: Response) => {
    if (body === null) throw new Error("there is no body");
    return body.getReader();
  };

  beforeAll(async () => {
    store = await usualEngine().open();
    await transact(store.db, async (trx) => {
      for (let number = 1; number <= DECISIONS; number += 1)
        await appendRecord(
          trx,
          {
            kind: "verdict",
            repositoryId: 1,
            number,
            headSha: "a".repeat(40),
            baseRef: "main",
            checkName: "tollgate: main",
            digest: `digest ${number}`,
            situation: "evaluated",
            decision: "success",
            policyBlobs: [],
            findings: [],
          },
          new Date(0),
        );
    });
  });
  afterAll(() => store.close());
  afterEach(() => {
    failing = false;
  });

  it("reaches a client that reads to the end completely", async () => {
    const lines = (await (await requestAudit()).text()).trimEnd().split("\n");
    expect(lines).toHaveLength(DECISIONS + 1);
  });

  it("is read only as fast as the client reads, ends early when the database fails, and the failure is logged", async () => {
    const reader = readerOf(await requestAudit());
    expect((await reader.read()).value?.byteLength).toBeLessThan(100_000);
    failing = true;
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow("the database is gone");
    expect(failures).toEqual([new RangeError("the database is gone")]);
  });
});
