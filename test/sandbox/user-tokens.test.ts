import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { caller, type Lab, openLab } from "./lab.ts";

const CALLBACK = "http://127.0.0.1:1/sign-in/callback";
const VERIFIER = "v".repeat(64);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A lab whose App has a callback URL, and what browsers and the App send. */
async function open() {
  const lab = await openLab();
  const app = await lab.sandbox.registerApp({ name: "Pages", callbackUrls: [CALLBACK] });
  lab.sandbox.installApp({ appId: app.id, owner: "acme" });
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

const asUser = ({ sandbox }: Pick<Lab, "sandbox">, token: string) => caller(sandbox.url, `token ${token}`);

test("a person authorizes an App, which gets a token of the person and their state back", async () => {
  const lab = await open();
  const { location } = await lab.authorizes("ada");
  expect(`${location?.origin}${location?.pathname}`).toBe(CALLBACK);
  expect(location?.searchParams.get("state")).toBe("s");
  const code = location?.searchParams.get("code") ?? "";
  const token = await lab.exchanges({ code, code_verifier: VERIFIER, redirect_uri: CALLBACK });
  expect(token).toMatchObject({ expires_in: 28_800, token_type: "bearer" });
  const { body } = await asUser(lab, token.access_token)("GET /user");
  expect(body.login).toBe("ada");
});

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
  const { token, refreshToken } = lab.sandbox.authorizeApp({ appId: lab.app.id, login: "ada" });
  lab.clock.advance(8 * HOUR);
  expect((await asUser(lab, token)("GET /user")).status).toBe(401);
  const renewal = { grant_type: "refresh_token", refresh_token: refreshToken };
  const renewed = await lab.exchanges(renewal);
  expect((await asUser(lab, renewed.access_token)("GET /user")).status).toBe(200);
  expect(await lab.exchanges(renewal)).toHaveProperty("error", "bad_refresh_token");
});

test("a person's token shows what both the person and the App can see, and may change nothing", async () => {
  const lab = await open();
  const ada = asUser(lab, lab.sandbox.authorizeApp({ appId: lab.app.id, login: "ada" }).token);
  const grace = asUser(lab, lab.sandbox.authorizeApp({ appId: lab.app.id, login: "grace" }).token);
  const { id } = lab.sandbox.repository("acme/infra");
  const statuses = async () => [
    (await ada(`GET /repositories/${id}`)).status,
    (await grace(`GET /repositories/${id}`)).status,
    (await ada("GET /user/installations")).body.total_count,
    (await grace("GET /user/installations")).body.total_count,
  ];
  expect(await statuses()).toEqual([200, 404, 1, 0]);
  lab.sandbox.setVisibility({ repository: "acme/infra", visibility: "public" });
  expect(await statuses()).toEqual([200, 200, 1, 0]);
  expect((await ada("POST /repos/acme/infra/issues/1/comments", { body: "x" })).status).toBe(403);
});

test("the page of an authorization leads to a callback URL of the App only", async () => {
  const lab = await open();
  expect((await lab.authorizes("ada", { redirect_uri: "https://evil.example/" })).status).toBe(404);
  expect((await lab.authorizes("ada", { client_id: "nobody" })).status).toBe(404);
  const cancelled = await lab.authorizes("");
  expect(cancelled.location?.searchParams.get("error")).toBe("access_denied");
});

test("a revoked authorization ends every token of the person and is told to the App", async () => {
  const lab = await open();
  lab.sandbox.setWebhookUrl({ appId: lab.app.id, url: lab.inbox.url });
  const tokens = [1, 2].map(() => lab.sandbox.authorizeApp({ appId: lab.app.id, login: "ada" }).token);
  lab.sandbox.revokeAuthorization({ appId: lab.app.id, login: "ada" });
  for (const token of tokens) expect((await asUser(lab, token)("GET /user")).status).toBe(401);
  await lab.sandbox.deliveries.settled();
  const told = lab.inbox.received.find(({ event }) => event === "github_app_authorization");
  expect(told?.body).toMatchObject({ action: "revoked", sender: { login: "ada" } });
});
