import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../world/receiver.ts";
import { spawned } from "./spawn-tollgate.ts";

let folder = "";
let receiver: Receiver;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-notify-"));
  receiver = await startReceiver();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await receiver.close();
});

const operatorFile = (targets: readonly string[]): Record<string, string> => {
  const path = join(folder, "operator.yml");
  const lines = targets.map((target) => `    - ${target}`);
  writeFileSync(path, ["notifications:", "  targets:", ...lines, ""].join("\n"));
  return { TOLLGATE_SETTINGS: path, TOLLGATE_DATA: join(folder, "data") };
};
const SLACK = "{ name: finops, kind: slack, url: { env: SLACK_URL } }";

describe("tollgate notify test", () => {
  it("sends each target a message and prints the outcome", async () => {
    const settings = operatorFile([
      SLACK,
      "{ name: gone, kind: webhook, url: 'http://127.0.0.1:1/', secret: 0123456789abcdef01234567 }",
    ]);
    const environment = { ...settings, SLACK_URL: `${receiver.url}/services/very-secret` };
    const { code, out, err } = await spawned(["notify", "test"], environment);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "sent    finops (slack)\nFAILED  gone (webhook): it could not be reached (ECONNREFUSED)\n",
      err: "",
    });
    expect(receiver.texts()).toContain("Hello from Tollgate");
  });

  it("sends one target alone, and prints JSON", async () => {
    const environment = { ...operatorFile([SLACK]), SLACK_URL: receiver.url };
    const { code, out } = await spawned(["notify", "test", "--target", "finops", "--json"], environment);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([{ target: "finops", kind: "slack", problem: null }]);
  });

  it("ends with 2 without the target, without any target, and where a variable is not set", async () => {
    const environment = { ...operatorFile([SLACK]), SLACK_URL: receiver.url };
    const other = await spawned(["notify", "test", "--target", "finop"], environment);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('no target "finop"') });
    const none = await spawned(["notify", "test"], { TOLLGATE_DATA: folder });
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("names no target") });
    const unset = await spawned(["notify", "test"], { ...environment, SLACK_URL: "" });
    expect(unset).toMatchObject({
      code: 2,
      err: expect.stringContaining("notifications.targets.0.url: SLACK_URL is not set"),
    });
    expect(receiver.requests).toEqual([]);
  });
});
