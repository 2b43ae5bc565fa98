import { afterAll, describe, expect, it } from "vitest";
import { createJobToken, createToken, revokeToken } from "../../src/store/tokens.ts";
import { CREATE_TOKEN, TokenRequest } from "../../src/web/local/tokens.ts";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, START_MS } from "./platform-world.ts";
import { createStage, EXECUTIONS, STAGE } from "./stories.ts";

const IMPORT = {
  purpose: "import",
  account: ACCOUNT,
  repositoryId: 7,
  org: "acme",
  project: "payments",
} as const;

describe.each(usualEngines())("access on $name", async (engine) => {
  const world = await openPlatform(engine);
  await createStage(world);
  afterAll(() => world.close());

  it("needs a token: none, a wrong one, a changed one and a revoked one are the same 401", async () => {
    const revoked = await createToken(world.store.db, { purpose: "api", account: ACCOUNT }, world.clock);
    expect((await world.call("GET", STAGE, { key: revoked.secret })).status).toBe(200);
    expect(await revokeToken(world.store.db, revoked.id, world.clock)).toBe(true);
    expect(await revokeToken(world.store.db, revoked.id, world.clock)).toBe(false);
    const last = world.key.at(-1) === "A" ? "Q" : "A";
    const wrong = [null, "nonsense", world.key.slice(0, -1) + last, `${world.key}x`, revoked.secret];
    for (const key of wrong)
      for (const [method, path] of [
        ["GET", STAGE],
        ["POST", EXECUTIONS],
        ["POST", "/tollgate/v1/ingest"],
      ] as const)
        expect(await world.call(method, path, { key })).toMatchObject({
          status: 401,
          body: { name: "unauthorized", message: "the header x-api-key holds no valid token" },
        });
  });

  it("limits an import token to its own project, also where a body names the project", async () => {
    const ingest = {
      org: "acme",
      pipeline_execution_id: "run-1",
      pipeline_stage_id: "stage-1",
      status: "success",
    };
    const json = { ...ingest, project: "other" };
    const key = await world.token(IMPORT);
    expect((await world.call("POST", "/tollgate/v1/ingest", { key, json })).status).toBe(403);
  });

  it("makes a token of another account when the operator asks for one, else of the operator's own", async () => {
    const deps = { db: world.store.db, clock: world.clock, account: ACCOUNT };
    const asked = { purpose: "api", repository: null, org: null, project: null } as const;
    const statuses = async (request: TokenRequest) => {
      const made = await CREATE_TOKEN.perform(deps, request);
      const call = async (account: string) =>
        (await world.call("GET", EXECUTIONS, { key: made.secret, account })).status;
      return [await call(ACCOUNT), await call("acc-9")];
    };
    expect(await statuses(asked)).toEqual([200, 403]);
    expect(await statuses({ ...asked, account: "acc-9" })).toEqual([403, 200]);
    expect(TokenRequest.safeParse({ ...asked, account: "a/b" }).success).toBe(false);
  });

  it("limits a CI job's token to its commit and its time", async () => {
    const [head, other] = ["a".repeat(40), "b".repeat(40)];
    const job = { grant: IMPORT, details: { validMs: 60_000 }, headSha: head, exchanged: "one" };
    const key = (await createJobToken(world.store.db, job, world.clock))?.secret ?? "";
    const stage = {
      org: "acme",
      project: "payments",
      pipeline_execution_id: "run-of-a-job",
      pipeline_stage_id: "stage-1",
    };
    const ingest = (sha: string) =>
      world.call("POST", "/tollgate/v1/ingest", {
        ...{ key, json: { ...stage, status: "success", commit: { repository: "acme/payments", sha } } },
      });
    const audit = (hash: string) => {
      const git = { hash, name: "topic", repo_url: "https://github.com/acme/payments", type: "branch" };
      const path = `${EXECUTIONS}/run-of-a-job/stage-1/audit-event`;
      return world.call("POST", path, { key, json: { audit: { git_audit_data: git } } });
    };
    const refused = {
      status: 403,
      body: { message: `the token of this CI job is bound to the commit ${head}` },
    };
    const made = { ...stage, pipeline: "infra", workspace: "prod" };
    expect((await world.call("POST", EXECUTIONS, { key, json: made })).status).toBeLessThan(300);
    expect([await ingest(other), await audit(other)]).toMatchObject([refused, refused]);
    expect((await audit(head)).status).toBeLessThan(300);
    expect((await ingest(head)).status).toBe(200);
    expect(await createJobToken(world.store.db, job, world.clock)).toBeNull();
    world.clock.ms += 60_000;
    expect((await ingest(head)).status).toBe(401);
    world.clock.ms = START_MS;
  });

  it("stores no secret, and notes the last accepted use to five minutes", async () => {
    const { id, secret } = await createToken(world.store.db, IMPORT, world.clock);
    const row = () =>
      world.store.db.selectFrom("tokens").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(JSON.stringify(await row())).not.toContain(secret.slice(-43));
    expect((await world.call("GET", STAGE, { key: secret, account: "other" })).status).toBe(403);
    expect((await row()).last_used_ms).toBeNull();
    for (const [later, noted] of [
      [0, 0],
      [299_999, 0],
      [300_000, 300_000],
    ] as const) {
      world.clock.ms = START_MS + later;
      expect((await world.call("GET", `${EXECUTIONS}?limit=1`, { key: secret })).status).toBe(200);
      expect((await row()).last_used_ms).toBe(START_MS + noted);
    }
  });
});
