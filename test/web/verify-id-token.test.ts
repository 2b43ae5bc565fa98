import { createHmac } from "node:crypto";
import { type CryptoKey, exportSPKI, importJWK } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createIdTokenVerifier } from "../../src/web/oidc/verify-id-token.ts";
import { RefusalError } from "../../src/web/read-json.ts";
import {
  AUDIENCE,
  type Claims,
  type IdTokenIssuer,
  jobClaims,
  NOW_MS,
  NOW_S,
  REPOSITORY_ID,
  startIssuer,
} from "./id-token-issuer.ts";

let issuer: IdTokenIssuer;
const clock = { ms: NOW_MS, now: () => clock.ms, monotonicMs: () => clock.ms };

beforeAll(async () => {
  issuer = await startIssuer();
});
beforeEach(() => {
  [issuer.reads, issuer.fault, clock.ms] = [0, null, NOW_MS];
});
afterAll(() => issuer.ends());

const claims = (more: Claims = {}): Claims => ({ ...jobClaims(issuer), ...more });

const createVerifier = (cooldownMs?: number) =>
  createIdTokenVerifier(
    { issuer: issuer.url, audience: AUDIENCE },
    { clock, fetch, ...(cooldownMs !== undefined && { cooldownMs }) },
  );

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("id tokens that are refused", () => {
  const unsigned = () => `${base64({ alg: "none" })}.${base64(claims())}.`;
  /** The public key of the issuer, which everybody knows, taken as a shared secret. */
  const signedWithPublicKey = async () => {
    const pem = await exportSPKI((await importJWK(issuer.publicKey, "RS256")) as CryptoKey); // not a shared key
    const text = `${base64({ alg: "HS256", kid: "key-1" })}.${base64(claims())}`;
    return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
  };
  const changed = async () => {
    const [header, , signature] = (await issuer.signs(claims())).split(".");
    return `${header}.${base64(claims({ repository_id: "8" }))}.${signature}`;
  };
  const signed = (more: Claims) => () => issuer.signs(claims(more));

  test.each<[string, () => string | Promise<string>, string]>([
    ["expired", signed({ exp: NOW_S - 61 }), "401: the id token has expired"],
    [
      "too old, whatever its expiry says",
      signed({ iat: NOW_S - 7200, exp: NOW_S + 9e6 }),
      "401: the id token has expired",
    ],
    ["not yet valid", signed({ nbf: NOW_S + 61 }), "401: the id token is not valid yet"],
    [
      "for another audience",
      signed({ aud: "https://github.com/acme" }),
      "401: the id token is for another audience; this server's is https://tollgate.example.com",
    ],
    [
      "of another issuer",
      signed({ iss: "https://issuer.example" }),
      "401: the id token was not issued by ISSUER",
    ],
    ["without an expiry", signed({ exp: undefined }), "401: the id token lacks the claim exp"],
    ["without an id", signed({ jti: undefined }), "401: the id token lacks the claim jti"],
    [
      "without a repository",
      signed({ repository_id: undefined }),
      "401: the id token has no usable claims: repository_id",
    ],
    ["with alg none", unsigned, "401: the id token is not signed with RS256"],
    [
      "signed with the public key as a shared secret",
      signedWithPublicKey,
      "401: the id token is not signed with RS256",
    ],
    ["with changed claims", changed, "401: the signature of the id token is wrong"],
    [
      "signed by an unknown key",
      () => issuer.signs(claims(), { kid: "x" }),
      "401: no key of ISSUER signed the id token",
    ],
    [
      "no JSON web token",
      () => "tg_0123456789abcdef_nonsense",
      "401: the id token is not a signed JSON web token",
    ],
    ["missing", () => "", "401: the id token is not a signed JSON web token"],
  ])("%s", async (_, makeToken, expected) => {
    const token = await makeToken();
    const refusal: unknown = await createVerifier()(token).catch((error: unknown) => error);
    if (!(refusal instanceof RefusalError)) throw refusal;
    const { status, message, hint } = refusal;
    expect(`${status}: ${message.replace(issuer.url, "ISSUER")}`).toBe(expected);
    expect(hint).toMatch(/\.$/);
    // the refusal is answered and logged: it has no part of the credential
    const said = JSON.stringify([message, hint]);
    for (const part of token.split(".").filter((one) => one.length > 8)) expect(said).not.toContain(part);
  });
});

describe("the issuer's keys", () => {
  test("a new key is read when the first id token has it, and the old key counts no longer", async () => {
    const verify = createVerifier(0);
    const old = await issuer.signs(claims({ jti: "old" }));
    expect(await verify(await issuer.signs(claims()))).toMatchObject({ repository_id: REPOSITORY_ID });
    await issuer.rotatesKeys();
    expect(await verify(await issuer.signs(claims({ jti: "jti-2" })))).toMatchObject({
      repository_id: REPOSITORY_ID,
    });
    expect(issuer.reads).toBe(2);
    await expect(verify(old)).rejects.toMatchObject({ status: 401 });
  });

  test("many id tokens with unknown keys cause no further reads", async () => {
    const verify = createVerifier();
    expect(await verify(await issuer.signs(claims()))).toMatchObject({ repository_id: REPOSITORY_ID });
    const forged = await Promise.all(
      Array.from({ length: 50 }, (_, at) => issuer.signs(claims(), { kid: `x${at}` })),
    );
    await Promise.all(forged.map((token) => expect(verify(token)).rejects.toBeInstanceOf(RefusalError)));
    expect(issuer.reads).toBe(1);
  });

  test("an issuer that fails is asked once in five seconds, and the job is told to repeat it", async () => {
    const verify = createVerifier();
    issuer.fault = { status: 500 };
    for (let at = 0; at < 5; at += 1)
      await expect(verify(await issuer.signs(claims()))).rejects.toMatchObject({
        status: 503,
        message: `the keys of ${issuer.url} cannot be read`,
        hint: expect.stringContaining("Repeat it in a minute"),
      });
    expect(issuer.reads).toBe(1);
    issuer.fault = null;
    clock.ms += 5_000;
    expect(await verify(await issuer.signs(claims()))).toMatchObject({ repository_id: REPOSITORY_ID });
  });

  test("keys at another address than the issuer's are not read", async () => {
    const elsewhere = await startIssuer();
    issuer.fault = { status: 302, location: `${elsewhere.url}/.well-known/jwks` };
    const forged = await elsewhere.signs(claims());
    await expect(createVerifier()(forged)).rejects.toMatchObject({ status: 503 });
    expect(elsewhere.reads).toBe(0);
    await elsewhere.ends();
  });
});
