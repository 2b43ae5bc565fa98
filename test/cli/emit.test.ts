import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platformEmitCommand } from "../../src/cli/commands/platform-emit.ts";
import {
  ARTIFACT,
  openWebhookWorld,
  REGISTRY,
  registryHook,
  repoPath,
  type WebhookWorld,
} from "../platform-server/webhooks-world.ts";
import { usualEngine } from "../world/engines.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const folder = createFolder();

describe("platform emit", () => {
  let world: WebhookWorld;
  beforeAll(async () => {
    world = await openWebhookWorld(usualEngine());
    await world.call("POST", REGISTRY, { json: registryHook(world.receiver.url) });
    await world.call("POST", repoPath(), { json: { identifier: "push", url: world.receiver.url } });
  });
  afterAll(() => world.close());

  function emits(...words: readonly string[]) {
    const platform = { url: world.url, token: world.key, account: "acc-1", close: async () => {} };
    const command = platformEmitCommand(async () => platform);
    const row = { name: "platform emit", summary: "", load: async () => command };
    return typed(["platform", "emit", ...words], [row]);
  }
  const payload = (content: object | string) => folder.file("payload.json", content);

  test("queues an event of a registry on this machine's platform, and the receiver hears it", async () => {
    const event = ["--registry", "o/p/images", "--event", "artifact_created"];
    const ended = await emits(...event, "--payload", payload(ARTIFACT));
    expect(ended).toMatchObject({ code: 0, messages: [] });
    expect(ended.results).toMatch(/^queued delivery \d+ to webhook hook$/);
    await world.work();
    expect(JSON.parse(world.receiver.heard[0]?.body ?? "")).toMatchObject({
      trigger: "artifact_created",
      ...ARTIFACT,
    });
  });

  test("takes a whole reference and says what it queued as JSON", async () => {
    const ended = await emits("--registry", "acc-1/o/p/images/+", "--event", "artifact_deleted", "--json");
    expect(JSON.parse(ended.results)).toMatchObject({
      event: "artifact_deleted",
      deliveries: [{ webhook_identifier: "hook" }],
    });
    const repo = await emits("--repo", "o/p/shop", "--event", "branch_updated", "--json");
    expect(JSON.parse(repo.results).deliveries).toMatchObject([{ webhook_identifier: "push" }]);
  });

  test("says when nobody asks for it", async () => {
    const ended = await emits("--repo", "o/p/other", "--event", "branch_updated");
    expect(ended).toMatchObject({ code: 0, results: "" });
    expect(ended.messages.join()).toContain("no enabled webhook");
  });

  test.each<[string, readonly string[], RegExp]>([
    ["no place", ["--event", "tag_created"], /either --registry or --repo/],
    [
      "two places",
      ["--event", "tag_created", "--repo", "a", "--registry", "b"],
      /either --registry or --repo/,
    ],
    ["an unknown event", ["--event", "push", "--repo", "a"], /push/],
    ["a place that is none", ["--event", "tag_created", "--repo", "a/b/c/d"], /up to three names/],
    [
      "another account's registry",
      ["--event", "artifact_created", "--registry", "acc-2/images/+"],
      /account/,
    ],
    [
      "an event that registries do not have",
      ["--event", "tag_created", "--registry", "images"],
      /artifact_created/,
    ],
  ])("refuses %s", async (_, words, says) => {
    const ended = await emits(...words);
    expect(ended.code).toBe(2);
    expect(ended.messages.join("\n")).toMatch(says);
  });

  test.each<[string, object | string, RegExp]>([
    ["no JSON", "{", /is not JSON/],
    ["a member that no payload has", { nonsense: 1 }, /nonsense/],
    ["a wrong member", { artifact_info: { name: 1 } }, /artifact_info\.name/],
  ])("refuses a payload that is %s", async (_, content, says) => {
    const ended = await emits("--repo", "a", "--event", "tag_created", "--payload", payload(content));
    expect(ended.code).toBe(2);
    expect(ended.messages.join("\n")).toMatch(says);
  });
});
