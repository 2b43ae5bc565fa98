import type { KyselyPlugin } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { appendRecord } from "../../src/store/audit/decisions.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Store } from "../../src/store/open.ts";
import { AUDIT_PATH, createAuditRoute } from "../../src/web/local/audit.ts";
import { usualEngine } from "../world/engines.ts";

/** More than are read at once. */
const DECISIONS = 1_200;

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
    const app = createAuditRoute({ db: store.db.withPlugin(breakable) }, (error) => failures.push(error));
    const body = JSON.stringify({ repository: null, fromMs: null, toMs: null });
    return app.request(AUDIT_PATH, { method: "POST", headers: { "content-type": "application/json" }, body });
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
