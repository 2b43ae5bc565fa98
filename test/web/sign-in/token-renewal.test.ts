import { expect, onTestFinished, test } from "vitest";
import { saveSession } from "../../../src/store/sessions.ts";
import type { UserTokens } from "../../../src/web/sign-in/sessions.ts";
import { TokenRenewal } from "../../../src/web/sign-in/sessions.ts";
import { engines } from "../../world/engines.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const FRESH: UserTokens = { accessToken: "new", refreshToken: "second", expiresMs: NOW + 3_600_000 };
const OLD: UserTokens = { accessToken: "old", refreshToken: "first", expiresMs: NOW - 1 };

test.each(engines())("two processes renew one session's tokens once, on $name", async (engine) => {
  const { db, close } = await engine.open();
  onTestFinished(close);
  const row = { session_id: "s", user_id: 1, login: "ada", created_ms: NOW, expires_ms: NOW + 1_000_000 };
  await saveSession(db, { ...row, tokens: JSON.stringify(OLD) });
  const spent: string[] = [];
  const answered = Promise.withResolvers<void>();
  const startProcess = () => {
    const users = {
      renewTokens: async (refreshToken: string) => {
        spent.push(refreshToken);
        await answered.promise;
        return { ok: true, value: FRESH } as const;
      },
    };
    const clock = { now: () => NOW, monotonicMs: () => 0 };
    const wait = async () => answered.resolve();
    return new TokenRenewal({ db, clock, users, wait });
  };
  const session = {
    id: "s",
    sealed: JSON.stringify(OLD),
    seal: async (tokens: UserTokens) => JSON.stringify(tokens),
    open: async (sealed: string) => JSON.parse(sealed) as UserTokens, // what this test sealed
  };
  const tokens = [startProcess(), startProcess()].map((renewal) => renewal.getAccessToken(session));
  expect(await Promise.all(tokens)).toEqual(["new", "new"]);
  expect(spent).toEqual(["first"]);
});
