import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type RunningFile as File,
  findRunningFile,
  writeRunningFile,
} from "../../src/wiring/process/running-file.ts";
import { saveSettings } from "../../src/wiring/setup/credentials-file.ts";
import { dumpTables } from "../world/dump.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const JSON_TYPE = { "content-type": "application/json" };
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("what listens", () => {
  let world: World;
  let notify = "";
  let key = "";
  beforeAll(async () => {
    world = await createWorld({ databaseUrl: null });
    notify = await world.ci.token({ purpose: "notify" });
    key = findRunningFile(world.settings.dataDirectory)?.key ?? "";
  });
  afterAll(() => world.ends());

  const post = (path: string, headers: Record<string, string>, body: string) =>
    fetch(`${world.bot.url}${path}`, { method: "POST", headers, body });

  /** What comes back for bytes written to a connection of their own. */
  async function raw(head: readonly string[], body = ""): Promise<string> {
    const socket = connect({ host: "127.0.0.1", port: world.settings.port });
    socket.on("error", () => {});
    socket.write(`${["POST", ...head].join(" ")}${body}`);
    return text(socket).catch(() => "");
  }

  it.each([
    ["/api/executions", "x-api-key"],
    ["/tollgate/v1/tokens", "x-tollgate-key"],
  ])("%s takes no huge body, says so at once, and goes on", async (path, header) => {
    const secret = header === "x-api-key" ? notify : key;
    const head = (length: string) => [
      `${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}: ${secret}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
    ];
    expect(await raw(head("content-length: 9000000000"))).toMatch(/^HTTP\/1\.1 4(13|00) /);
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    expect(await raw(head("transfer-encoding: chunked"), chunk.repeat(20))).toMatch(/^HTTP\/1\.1 4(13|00) /);
    expect((await fetch(`${world.bot.url}/healthz`)).status).toBe(200);
  });

  it("a notification that dribbles in is given up", async () => {
    const head = `/api/executions HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${notify}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
    expect(await raw([head])).toMatch(/^HTTP\/1\.1 408 /);
  }, 20_000);

  it("a notification must be JSON and say so", async () => {
    const all = { "x-api-key": notify };
    expect((await post("/api/executions", { ...all, "content-type": "text/plain" }, "{}")).status).toBe(415);
    expect(
      (await post("/api/executions", { ...all, "content-type": "application/jsonp" }, "{}")).status,
    ).toBe(415);
    for (const body of ["", "null", "[]", "{", '"x"', `{"x":${"[".repeat(5000)}`])
      expect((await post("/api/executions", { ...all, ...JSON_TYPE }, body)).status).toBe(400);
  });

  it("a token of another account is unknown", async () => {
    const { db } = world.bot.session.store;
    await db.updateTable("tokens").set({ account: "other" }).where("id", "=", notify.slice(3, 19)).execute();
    const body = {
      repository: REPOSITORY,
      sha: "a".repeat(40),
      org: OWNER,
      project: NAME,
      pipeline_execution_id: "x",
    };
    expect(
      (await post("/api/executions", { ...JSON_TYPE, "x-api-key": notify }, JSON.stringify(body))).status,
    ).toBe(401);
    await db.updateTable("tokens").set({ account: "acc" }).where("id", "=", notify.slice(3, 19)).execute();
  });

  it.each([
    ["POST", "/tollgate/v1/tokens"],
    ["DELETE", "/tollgate/v1/tokens/0123456789abcdef"],
    ["GET", "/tollgate/v1/audit"],
    ["GET", "/tollgate/v1/audit?repository=acme/shop&from=0"],
    ["GET", "/tollgate/v1/evaluation?repository=acme/shop&number=1"],
    ["GET", "/tollgate/v1/recent-names"],
    ["GET", "/tollgate/v1/recent-names?repository=acme/shop"],
  ])(
    "%s %s is there for commands of this machine that know the key, and for nobody else",
    async (method, path) => {
      const made = JSON.stringify({ purpose: "api", repository: null, org: null, project: null });
      const asked = async (headers: Record<string, string>, at = path) => {
        const body = method === "POST" ? { body: made } : {};
        const answer = await fetch(`${world.bot.url}${at}`, {
          method,
          headers: { ...JSON_TYPE, ...headers },
          ...body,
        });
        return { status: answer.status, said: await answer.text() };
      };
      expect((await asked({ "x-tollgate-key": key })).status).not.toBe(404);
      const nowhere = await asked({}, "/nowhere");
      expect(nowhere.status).toBe(404);
      for (const wrong of ["", "x", `${key}x`, key.slice(1), `${key.slice(1)}x`, key.toLowerCase()])
        expect(await asked({ "x-tollgate-key": wrong })).toEqual(nowhere);
      expect(await asked({})).toEqual(nowhere);
      expect(await asked({ "x-api-key": key, authorization: `Bearer ${key}` })).toEqual(nowhere);
      for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
        expect(await asked({ "x-tollgate-key": key, [name]: "1.2.3.4" })).toEqual(nowhere);
    },
  );

  it.each([
    "/tollgate/v1/audit?from=soon",
    "/tollgate/v1/audit?since=1",
    "/tollgate/v1/audit?to=1e9",
    "/tollgate/v1/evaluation",
    "/tollgate/v1/evaluation?repository=acme/shop&number=0",
    "/tollgate/v1/evaluation?repository=acme/shop&number=1&more=1",
    "/tollgate/v1/recent-names?number=1",
  ])("%s is no question", async (path) => {
    const headers = { "x-tollgate-key": key };
    expect((await fetch(`${world.bot.url}${path}`, { headers })).status).toBe(400);
  });

  it("an internal failure discloses nothing to the caller", async () => {
    const { db } = world.bot.session.store;
    await db.schema.alterTable("bindings").renameTo("bindings_away").execute();
    const pull = world.opensPullRequest();
    await world.github.deliveries.settled();
    const body = {
      repository: REPOSITORY,
      sha: pull.headSha,
      org: OWNER,
      project: NAME,
      pipeline_execution_id: "x",
    };
    const answer = await post("/api/executions", { ...JSON_TYPE, "x-api-key": notify }, JSON.stringify(body));
    await db.schema.alterTable("bindings_away").renameTo("bindings").execute();
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.not.stringMatching(/bindings|insert|sql/i),
    ]);
  });

  it("reading changes nothing but when a token was last used", async () => {
    const pull = world.opensPullRequest();
    const executionId = await world.ci.runs({
      sha: pull.headSha,
      changes: [{ address: "aws_instance.web", change: "added" }],
    });
    await world.settles();
    const api = await world.ci.token({ purpose: "api" });
    const left = [
      "public.tokens",
      "queue.queue",
      "queue.version",
      "queue.bam",
      "queue.subscription",
      "queue.schedule",
      "queue.worker",
    ];
    const before = await dumpTables(world.bot.session.store, left);
    const at = `/api/orgs/${OWNER}/projects/${NAME}`;
    const stage = `${at}/executions/${executionId}/${executionId}-plan`;
    const paths = [
      "/",
      "/healthz",
      `${at}/executions`,
      `${at}/executions/${executionId}/resource-changes`,
      `${stage}/resource-changes/planned_changes`,
    ];
    for (const path of paths)
      await fetch(`${world.bot.url}${path}`, { headers: { "x-api-key": api, "platform-account": "acc" } });
    const local = [
      "/tollgate/v1/audit",
      `/tollgate/v1/evaluation?repository=${REPOSITORY}&number=${pull.number}`,
    ];
    for (const path of local) {
      const answer = await fetch(`${world.bot.url}${path}`, { headers: { "x-tollgate-key": key } });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/.../)]);
    }
    expect(await dumpTables(world.bot.session.store, left)).toBe(before);
  });

  it("survives hundreds of connections that say nothing", async () => {
    const sockets = Array.from({ length: 400 }, () =>
      connect({ host: "127.0.0.1", port: world.settings.port }).on("error", () => {}),
    );
    expect((await fetch(`${world.bot.url}/healthz`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it("what lies on the disk is readable by its owner alone", () => {
    const { dataDirectory } = world.settings;
    expect(modeOf(dataDirectory)).toBe("700");
    expect(modeOf(join(dataDirectory, "running.json"))).toBe("600");
  });
});

it("an older file's permissions do not live on", () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-files-"));
  const env = join(folder, ".env");
  writeFileSync(env, "PORT=4000\nAPP_ID=1", { mode: 0o644 });
  saveSettings(env, { APP_ID: "2", PRIVATE_KEY: "a\nb", WEBHOOK_SECRET: "s" });
  writeFileSync(join(folder, "running.json"), "{}", { mode: 0o666 });
  const file: File = { url: "http://127.0.0.1:1", key: "k" };
  writeRunningFile(folder, file);
  expect([modeOf(env), modeOf(join(folder, "running.json"))]).toEqual(["600", "600"]);
  expect(findRunningFile(folder)).toEqual(file);
  rmSync(folder, { recursive: true });
});
