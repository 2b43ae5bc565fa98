import { existsSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Probot } from "probot";
import { expect, it } from "vitest";
import { systemRandom } from "../../sandbox/state/random.ts";
import { readSettings } from "../../src/settings/read.ts";
import { startInProbot } from "../../src/wiring/start.ts";

const { privateKey } = await systemRandom.keyPair();
const WEBHOOK_SECRET = "a secret of more than twenty characters";
const TOLLGATE_DATA = join(import.meta.dirname, "never-made");

it.each([
  ["no secret", {}],
  ["another secret", { secret: `${WEBHOOK_SECRET}.` }],
])("a Probot that was created with %s is refused before anything is opened", async (_what, secret) => {
  const probot = new Probot({ appId: 1, privateKey, log: pino({ level: "silent" }), ...secret });
  await probot.ready();
  const settings = readSettings({ APP_ID: "1", PRIVATE_KEY: privateKey, WEBHOOK_SECRET, TOLLGATE_DATA });
  const started = startInProbot(probot, { cwd: "", addHandler: () => {} }, settings);
  await expect(started).rejects.toThrow("Probot verifies deliveries with another secret than WEBHOOK_SECRET");
  expect(existsSync(TOLLGATE_DATA)).toBe(false);
});

it("a Probot without a GitHub App in the environment is refused with the names of what is missing", async () => {
  const probot = new Probot({ appId: 1, privateKey, log: pino({ level: "silent" }) });
  await probot.ready();
  const started = startInProbot(probot, { cwd: "", addHandler: () => {} }, readSettings({ TOLLGATE_DATA }));
  await expect(started).rejects.toMatchObject({
    code: "settings_invalid",
    hint: expect.stringContaining("APP_ID"),
  });
});
