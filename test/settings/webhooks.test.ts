import { describe, expect, it } from "vitest";
import { parseOperatorFile } from "../../src/settings/operator.ts";
import { readSettings } from "../../src/settings/read.ts";

const read = (text: string) => parseOperatorFile(text);

describe("settings of webhooks", () => {
  it("allow addresses, networks, hosts and names under a name", () => {
    const text =
      "webhook_targets: { allow: [10.0.0.0/8, 127.0.0.1, '::1', 'fd00::/8', hooks.internal, '*.corp.example'] }";
    expect(read(text)).toMatchObject({ state: "ok" });
  });

  it.each([
    "10.0.0.0/33",
    "10.0.0/8",
    "1.2.3",
    "http://x",
    "x/y",
    "10.0.0.0/8/8",
    "",
    "a b",
    "*",
    "fd00::/129",
  ])("refuse %j as a target", (target) => {
    expect(read(JSON.stringify({ webhook_targets: { allow: [target] } }))).toMatchObject({
      state: "invalid",
    });
  });

  it("say what is wrong with a secret without saying the secret", () => {
    const result = read("webhook_secrets: { signing: hunter2 }");
    expect(result).toMatchObject({ state: "invalid" });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  it("take a key of at least 32 characters, or none", () => {
    expect(readSettings({}).encryptionKey).toBeNull();
    expect(readSettings({ TOLLGATE_KEY: "k".repeat(32) }).encryptionKey).toBe("k".repeat(32));
    expect(() => readSettings({ TOLLGATE_KEY: "short-key" })).toThrow(/TOLLGATE_KEY: must have at least 32/);
    expect(() => readSettings({ TOLLGATE_KEY: "short-key" })).not.toThrow(/short-key/);
  });
});
