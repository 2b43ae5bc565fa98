import { expect, onTestFinished, test } from "vitest";
import { createSeal } from "../../../src/store/seal.ts";
import { createSessions, type UserTokens } from "../../../src/web/sign-in/sessions.ts";
import { engines } from "../../world/engines.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const FRESH: UserTokens = { accessToken: "new", refreshToken: "second", expiresMs: NOW + 3_600_000 };
const OLD: UserTokens = { accessToken: "old", refreshToken: "first", expiresMs: NOW - 1 };

test.each(engines())("two processes renew one session's tokens once, on $name", async (engine) => {
  const { db, close } = await engine.open();
  onTestFinished(close);
  const spent: string[] = [];
  const answered = Promise.withResolvers<void>();
  const startProcess = () =>
    createSessions({
      db,
      clock: { now: () => NOW, monotonicMs: () => 0 },
      users: {
        renewTokens: async (refreshToken) => {
          spent.push(refreshToken);
          await answered.promise;
          return { ok: true, value: FRESH };
        },
        revokeToken: async () => ({ ok: true, value: null }),
      },
      random: (bytes) => "r".repeat(bytes),
      wait: async () => answered.resolve(),
      seal: createSeal("secret", "cookies"),
      log: { warn: () => {} },
    });
  const processes = [startProcess(), startProcess()] as const;
  const cookie = await processes[0].begin({ id: 1, login: "ada" }, OLD);
  const tokens = processes.map(async (sessions) => (await sessions.open(cookie))?.getAccessToken());
  expect(await Promise.all(tokens)).toEqual(["new", "new"]);
  expect(spent).toEqual(["first"]);
});
