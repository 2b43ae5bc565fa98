import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../src/settings/read.ts";
import { examineInstallation } from "../../src/wiring/doctor/examine.ts";
import { signInProbes } from "../../src/wiring/doctor/sign-in-probes.ts";
import { createWorld } from "../world/world.ts";

async function examines(changes: (known: Environment) => Environment) {
  const world = await createWorld();
  onTestFinished(() => world.ends());
  const { github, signIn, publicUrl } = world.settings;
  const environment = changes({
    APP_ID: String(github.appId),
    PRIVATE_KEY: github.privateKey,
    WEBHOOK_SECRET: github.webhookSecret,
    GITHUB_CLIENT_ID: signIn?.clientId,
    GITHUB_CLIENT_SECRET: signIn?.clientSecret,
    GHE_HOST: world.github.url,
    PUBLIC_URL: publicUrl ?? "",
  });
  const { probes } = await examineInstallation(environment, { repository: null, probes: signInProbes });
  const result = probes[0]?.result;
  return [result?.state, result !== undefined && "problems" in result ? result.problems[0].found : ""];
}

test("the doctor finds working credentials of sign-in in order", async () => {
  expect(await examines((known) => known)).toEqual(["ok", ""]);
});

test.each<[string, Environment, string, string]>([
  [
    "a missing client id and secret",
    { GITHUB_CLIENT_ID: "", GITHUB_CLIENT_SECRET: "" },
    "warning",
    "are not set",
  ],
  ["a missing public address", { PUBLIC_URL: "" }, "warning", "PUBLIC_URL"],
  ["an address without TLS", { PUBLIC_URL: "http://tollgate.example.com" }, "warning", "in clear"],
  ["the client id of another App", { GITHUB_CLIENT_ID: "Iv23liOther" }, "failed", "the App's is"],
  ["a wrong client secret", { GITHUB_CLIENT_SECRET: "wrong" }, "failed", "rejects GITHUB_CLIENT_SECRET"],
])("the doctor names %s", async (_name, changes, state, words) => {
  const found = await examines((known) => ({ ...known, ...changes }));
  expect(found).toEqual([state, expect.stringContaining(words)]);
});
