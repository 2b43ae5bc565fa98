import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Receiver, startReceiver } from "../world/receiver.ts";
import { createFolder } from "./folder.ts";
import { asWritten, typed } from "./run-command.ts";

const { file, path: folder } = createFolder();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await receiver.close();
});

const operatorFile = (targets: readonly string[]): Record<string, string> => {
  const lines = targets.map((target) => `    - ${target}\n`).join("");
  const path = file("operator.yml", `notifications:\n  targets:\n${lines}`);
  return { TOLLGATE_SETTINGS: path, TOLLGATE_DATA: join(folder, "data") };
};
const SLACK = "{ name: finops, kind: slack, url: { env: SLACK_URL } }";

/** `tollgate notify test` and these words, with these settings. */
async function notifies(environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return asWritten(await typed(["notify", "test", ...words]));
}

describe("tollgate notify test", () => {
  it("sends each target a message and prints the outcome", async () => {
    const settings = operatorFile([
      SLACK,
      "{ name: gone, kind: webhook, url: 'http://127.0.0.1:1/', secret: 0123456789abcdef01234567 }",
    ]);
    const environment = { ...settings, SLACK_URL: `${receiver.url}/services/very-secret` };
    const { code, out, err } = await notifies(environment);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "sent    finops (slack)\nFAILED  gone (webhook): it could not be reached (ECONNREFUSED)\n",
      err: "",
    });
    expect(receiver.texts()).toContain("Hello from Tollgate");
  });

  it("sends one target alone, and prints JSON", async () => {
    const environment = { ...operatorFile([SLACK]), SLACK_URL: receiver.url };
    const { code, out } = await notifies(environment, "--target", "finops", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([{ target: "finops", kind: "slack", problem: null }]);
  });

  it("ends with 2 without the target, without any target, and where a variable is not set", async () => {
    const environment = { ...operatorFile([SLACK]), SLACK_URL: receiver.url };
    const other = await notifies(environment, "--target", "finop");
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('no target "finop"') });
    const none = await notifies({ TOLLGATE_DATA: folder });
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("names no target") });
    const unset = await notifies({ ...environment, SLACK_URL: "" });
    expect(unset).toMatchObject({
      code: 2,
      err: expect.stringContaining("notifications.targets[0].url: SLACK_URL is not set"),
    });
    expect(receiver.requests).toEqual([]);
  });
});
