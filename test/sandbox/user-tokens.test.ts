import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { caller, openLab } from "./lab.ts";

const CALLBACK = "http://127.0.0.1:1/sign-in/callback";
const VERIFIER = "v".repeat(64);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const MINUTE = 60_000;

/** A lab whose App has a callback URL, and what browsers and the App send. */
async function open() {
  const lab = await openLab();
  const app = await lab.sandbox.registerApp({ name: "Pages", callbackUrls: [CALLBACK] });
  const anonymous = caller(lab.sandbox.url, null);
  const credentials = { client_id: app.clientId, client_secret: app.clientSecret };
  const authorizes = async (login: string, parameters: Readonly<Record<string, string>> = {}) => {
    const asked = { client_id: app.clientId, redirect_uri: CALLBACK, state: "s", code_challenge: CHALLENGE };
    const form = { ...asked, code_challenge_method: "S256", login, ...parameters };
    const at = `${lab.sandbox.url}/login/oauth/authorize`;
    const answer = await fetch(at, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
    return { status: answer.status, location: URL.parse(answer.headers.get("location") ?? "") };
  };
  const codeOf = async (login: string) => (await authorizes(login)).location?.searchParams.get("code") ?? "";
  const exchanges = async (parameters: Readonly<Record<string, string>>) =>
    (await anonymous("POST /login/oauth/access_token", { ...credentials, ...parameters })).body;
  return { ...lab, app, authorizes, codeOf, exchanges };
}

test("a code works once, for ten minutes, with its verifier and its address only", async () => {
  const lab = await open();
  const right = { code_verifier: VERIFIER, redirect_uri: CALLBACK };
  const code = await lab.codeOf("ada");
  expect(await lab.exchanges({ code, ...right })).toHaveProperty("access_token");
  expect(await lab.exchanges({ code, ...right })).toHaveProperty("error", "bad_verification_code");
  const wrong = { ...right, code_verifier: "w".repeat(64) };
  expect(await lab.exchanges({ code: await lab.codeOf("ada"), ...wrong })).toHaveProperty(
    "error",
    "bad_verification_code",
  );
  const elsewhere = { ...right, redirect_uri: "http://127.0.0.1:2/" };
  expect(await lab.exchanges({ code: await lab.codeOf("ada"), ...elsewhere })).toHaveProperty(
    "error",
    "redirect_uri_mismatch",
  );
  const late = await lab.codeOf("ada");
  lab.clock.advance(10 * MINUTE);
  expect(await lab.exchanges({ code: late, ...right })).toHaveProperty("error", "bad_verification_code");
  const secret = { client_secret: "wrong" };
  expect(await lab.exchanges({ code: await lab.codeOf("ada"), ...right, ...secret })).toHaveProperty(
    "error",
    "incorrect_client_credentials",
  );
});

test("a refresh token works once and ends the token before it, which ends by itself after eight hours", async () => {
  const lab = await open();
  const asUser = (token: string) => caller(lab.sandbox.url, `token ${token}`);
  const { token, refreshToken } = lab.sandbox.authorizeApp({ appId: lab.app.id, login: "ada" });
  lab.clock.advance(480 * MINUTE);
  expect((await asUser(token)("GET /user")).status).toBe(401);
  const renewal = { grant_type: "refresh_token", refresh_token: refreshToken };
  const renewed = await lab.exchanges(renewal);
  expect((await asUser(renewed.access_token)("GET /user")).status).toBe(200);
  expect(await lab.exchanges(renewal)).toHaveProperty("error", "bad_refresh_token");
});

test("the page of an authorization leads to a callback URL of the App only", async () => {
  const lab = await open();
  expect((await lab.authorizes("ada", { redirect_uri: "https://evil.example/" })).status).toBe(404);
  expect((await lab.authorizes("ada", { client_id: "nobody" })).status).toBe(404);
  const cancelled = await lab.authorizes("");
  expect(cancelled.location?.searchParams.get("error")).toBe("access_denied");
});
