import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { parseSha, type Sha } from "../../src/kernel/ids.ts";

/** The credential by which a job requests id tokens. */
export const REQUEST_TOKEN = "request-token-of-the-job";

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: object;
}

interface IssuerAnswer {
  readonly status: number;
  readonly location?: string;
  readonly body?: object;
}

/** An issuer of id tokens on loopback, as GitHub Actions is one. */
export class IdTokenIssuer {
  readonly url: string;
  readonly #server: Server;
  #keys: readonly SigningKey[];
  /** How often its keys were read. */
  reads = 0;
  /** The id tokens that jobs requested. */
  readonly issued: string[] = [];
  #jobClaims: Claims = {};
  /** What it answers in place of its keys; null: its keys. */
  fault: IssuerAnswer | null = null;

  constructor(server: Server, url: string, keys: readonly SigningKey[]) {
    this.#server = server;
    this.url = url;
    this.#keys = keys;
    server.on("request", (request, response) => {
      void this.#answer(request).then(({ status, body, location }) => {
        response.writeHead(status, location === undefined ? {} : { location }).end(JSON.stringify(body));
      });
    });
  }

  async #answer({ url = "/", headers }: IncomingMessage): Promise<IssuerAnswer> {
    const { pathname, searchParams } = new URL(url, this.url);
    if (pathname === "/job" && headers.authorization === `bearer ${REQUEST_TOKEN}`)
      return { status: 200, body: { value: await this.#signForJob(searchParams.get("audience") ?? "") } };
    if (pathname !== "/.well-known/jwks") return { status: 404, body: {} };
    this.reads += 1;
    return this.fault ?? { status: 200, body: { keys: this.#keys.map(({ publicJwk }) => publicJwk) } };
  }

  get publicKey(): object {
    const [key] = this.#keys;
    return key?.publicJwk ?? {};
  }

  /** The environment of a job that may request id tokens with these claims, and with a new id each. */
  startsJob(claims: Claims): Readonly<Record<string, string>> {
    this.#jobClaims = claims;
    return {
      GITHUB_ACTIONS: "true",
      CI: "true",
      ACTIONS_ID_TOKEN_REQUEST_URL: `${this.url}/job?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
    };
  }

  async #signForJob(aud: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, nbf: now, exp: now + 300, jti: `jti-${this.issued.length}` };
    const token = await this.signs({ ...this.#jobClaims, ...times, aud, iss: this.url });
    this.issued.push(token);
    return token;
  }

  /** Signs with its newest key. */
  async signs(claims: Claims, header: { readonly kid?: string } = {}): Promise<string> {
    const key = this.#keys.at(-1);
    if (key === undefined) throw new Error("the issuer has no key");
    return new SignJWT(claims as JWTPayload) // tests sign wrong claims, too

      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  async rotatesKeys(): Promise<void> {
    this.#keys = [await makeKey(`key-${this.#keys.length + 1}-new`)];
  }

  async ends(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function makeKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

export async function startIssuer(): Promise<IdTokenIssuer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return new IdTokenIssuer(server, `http://127.0.0.1:${address.port}`, [await makeKey("key-1")]);
}

export const AUDIENCE = "https://tollgate.example.com";
export const NOW_MS = Date.UTC(2026, 0, 1);
export const NOW_S = NOW_MS / 1000;
export const REPOSITORY_ID = 7;
export const OWNER_ID = 70;

export function toSha(digit: string): Sha {
  const sha = parseSha(digit.repeat(40));
  if (sha === null) throw new Error(`${digit} is no hex digit`);
  return sha;
}
export const [HEAD, MERGE] = [toSha("a"), toSha("b")];

export type Claims = Readonly<Record<string, unknown>>;

/** The claims that GitHub gives a job of pull request 12. */
export const jobClaims = ({ url }: IdTokenIssuer): Claims => ({
  iss: url,
  aud: AUDIENCE,
  iat: NOW_S,
  nbf: NOW_S - 600,
  exp: NOW_S + 300,
  jti: "jti-1",
  sub: "repo:acme/shop:pull_request",
  repository: "acme/shop",
  repository_id: String(REPOSITORY_ID),
  repository_owner_id: String(OWNER_ID),
  sha: MERGE,
  ref: "refs/pull/12/merge",
  event_name: "pull_request",
  run_id: "4711",
});
