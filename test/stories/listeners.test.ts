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
import { saveSettings } from "../../src/wiring/start-setup.ts";
import { createWorld, type World } from "../world/world.ts";

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

  /** What comes back for bytes written to a connection of their own. */
  async function raw(head: readonly string[], body = ""): Promise<string> {
    const socket = connect({ host: "127.0.0.1", port: world.settings.port });
    socket.on("error", () => {});
    socket.write(`${["POST", ...head].join(" ")}${body}`);
    return text(socket).catch(() => "");
  }

  it.each([
    ["/api/executions", "x-api-key"],
    ["/tollgate/v1/local/create-token", "x-tollgate-key"],
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
