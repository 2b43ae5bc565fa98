import { expect, test } from "vitest";
import { createGitHubFailure, GitHubError } from "../../src/github/client/result.ts";
import { createCredentialCheck } from "../../src/github/credential-check.ts";

test("credentials that GitHub rejects are an error of the log with the way out, once, and accepted ones a line", async () => {
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const lines: string[] = [];
  let isAccepted = false;
  const readIdentity = async () => {
    if (isAccepted) return { appId: 1, slug: "tollgate" };
    throw new GitHubError(createGitHubFailure("unauthorised", "Bad credentials"));
  };
  const write = (level: string) => (details: object, message: string) =>
    void lines.push(`${level}: ${message}${"hint" in details ? `: ${String(details.hint)}` : ""}`);
  const check = createCredentialCheck(
    { readIdentity },
    { clock, log: { info: write("info"), error: write("error") } },
  );
  expect(await check()).toEqual({ state: "rejected", outage: null });
  nowMs += 60_000;
  await check();
  isAccepted = true;
  nowMs += 60_000;
  await check();
  await expect.poll(check).toEqual({ state: "accepted", outage: null });
  expect(lines).toEqual([
    expect.stringMatching(/^error: GitHub rejects the App's credentials: .*generates a new key\.$/),
    "info: GitHub accepts the App's credentials again",
  ]);
});
