import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { usualEngine } from "../world/engines.ts";
import { ACCOUNT, openPlatform, servePlatform } from "./platform-world.ts";
import { CHANGES, createStage } from "./stories.ts";

describe("uploads on a bad connection", async () => {
  const head = (length: string) =>
    [
      `POST ${CHANGES}/planned_changes/1 HTTP/1.1`,
      `host: ${new URL(world.url).host}`,
      `x-api-key: ${world.key}`,
      `platform-account: ${ACCOUNT}`,
      "content-type: application/octet-stream",
      length,
      "\r\n",
    ].join("\r\n");
  const open = async () => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(world.url).port) });
    await once(socket, "connect");
    return socket;
  };
  const world = await openPlatform(usualEngine());
  await createStage(world);
  afterAll(() => world.close());

  it("counts a body that does not say its size", async () => {
    const socket = await open();
    socket.write(head("transfer-encoding: chunked\r\nconnection: close"));
    const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
    socket.on("error", () => {});
    for (let sent = 0; sent < 9 && !socket.destroyed; sent++) socket.write(chunk);
    const [answer] = await once(socket, "data");
    expect(`${answer}`).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("store nothing of a body that ends early, and the server goes on", async () => {
    const socket = await open();
    socket.end(`${head("content-length: 100")}[`);
    await text(socket).catch(() => "");
    expect((await world.call("POST", `${CHANGES}/counts`, { bytes: "{}" })).status).toBe(400);
    expect(await world.store.db.selectFrom("platform_pages").select("page").execute()).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  it("drop the oldest of the waiting bodies where newer ones need the memory", async () => {
    const crowded = await servePlatform(world.store, ACCOUNT, { bodyMemory: 150_000 });
    const port = Number(new URL(crowded.url).port);
    const socket = connect({ host: "127.0.0.1", port });
    await once(socket, "connect");
    const length = 90_000;
    socket.write(head(`content-length: ${length}`).replace(world.key, crowded.key));
    socket.write(`[${" ".repeat(length - 3)}`);
    const page = `[${" ".repeat(85_000)}]`;
    const upload = () => crowded.call("POST", `${CHANGES}/planned_changes/1`, { bytes: page });
    for (let times = 0; times < 3; times += 1) expect((await upload()).status).toBe(200);
    socket.write(" ]");
    const [answer] = await once(socket, "data");
    expect(`${answer}`).toMatch(/^HTTP\/1\.1 499 /);
    expect(`${answer}`).toContain("newer bodies needed the memory");
    socket.destroy();
    expect((await upload()).status).toBe(200);
    await crowded.close();
  });
});
