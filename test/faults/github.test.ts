import type dns from "node:dns";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { createServer, getCACertificates, type Server, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  type Authority,
  type Certificate,
  createAuthority,
  isOpensslInstalled,
} from "../world/certificates.ts";
import { startTcpSwitch, type TcpSwitch } from "../world/tcp-switch.ts";
import { FaultyWorld } from "./faulty-world.ts";

const HOST = "github.test";
const MINUTE = 60_000;

/** Names of hosts as this machine resolves them; those of tests end with `.test`, and lead to loopback while they are known. */
class NameServer {
  knows = true;
  // The module object, which `net` asks; an import has its members only.
  readonly #module: typeof dns = createRequire(import.meta.url)("node:dns");
  readonly #lookup = this.#module.lookup;

  begins(): void {
    const lookup = this.#lookup as (
      host: string,
      options: object,
      done: (error: Error | null) => void,
    ) => void;
    const answer: typeof lookup = (host, options, done) => {
      if (host !== HOST) lookup(host, options, done);
      else if (this.knows) lookup("127.0.0.1", options, done);
      else
        process.nextTick(
          done,
          Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }),
        );
    };
    Object.assign(this.#module, { lookup: answer });
  }

  ends(): void {
    Object.assign(this.#module, { lookup: this.#lookup });
  }
}

/** GitHub behind TLS: whoever connects gets the certificate of the moment. */
async function startTls(
  target: number,
  certificate: Certificate,
): Promise<Server & { readonly port: number }> {
  const server = createServer({ ...certificate }, (client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  server.on("tlsClientError", () => {}); // the client says why it refuses
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return Object.assign(server, { port: typeof address === "object" && address !== null ? address.port : 0 });
}

/** All of them by `npm run test:deep`, the first otherwise. */
const chooseCases = <Case>(cases: readonly Case[]): readonly Case[] =>
  inject("isDeep") ? cases : cases.slice(0, 1);

const CERTIFICATES = [
  [
    "has expired",
    {
      issue: (issued: Authority) => issued.issue(HOST, -1),
      reason:
        /GitHub's TLS certificate is not valid now: it has to be renewed, or the clock of this machine is wrong \(CERT_HAS_EXPIRED\)/,
    },
  ],
  [
    "is for another host",
    {
      issue: (issued: Authority) => issued.issue("other.test"),
      reason: /GitHub's TLS certificate is for another host: check GHE_HOST, and the proxy on the way/,
    },
  ],
  [
    "is from an unknown authority",
    {
      issue: () => createAuthority().issue(HOST),
      reason:
        /GitHub's TLS certificate is not trusted: name the file of its certificate authority in NODE_EXTRA_CA_CERTS/,
    },
  ],
] as const;

const ANSWERS = [
  [
    "a page with status 200",
    { fault: { kind: "html" }, reason: /a page or a broken text in place of GitHub's answer \(status 200\)/ },
  ],
  ["a page with status 502", { fault: { kind: "html", status: 502 }, reason: /status 502/ }],
  [
    "half of each answer",
    { fault: { kind: "truncate" }, reason: /the connection to GitHub was closed without an answer/ },
  ],
] as const;

describe.runIf(isOpensslInstalled())("while Tollgate runs, GitHub", { timeout: 120_000 }, () => {
  const names = new NameServer();
  const trusted = getCACertificates("default");
  let authority: Authority;
  let tls: Awaited<ReturnType<typeof startTls>>;
  let tcpSwitch: TcpSwitch;
  let faulty: FaultyWorld;
  beforeAll(async () => {
    names.begins();
    authority = createAuthority();
    setDefaultCACertificates([...trusted, authority.cert]);
    faulty = await FaultyWorld.create({
      between: async (url) => {
        tls = await startTls(Number(new URL(url).port), authority.issue(HOST));
        tcpSwitch = await startTcpSwitch(tls.port);
        return `https://${HOST}:${tcpSwitch.port}`;
      },
    });
  });
  afterAll(async () => {
    await faulty.world.ends();
    await tcpSwitch.close();
    tls.close();
    setDefaultCACertificates(trusted);
    names.ends();
  });

  /** What happens while `breaks` lasts; connections are opened anew, and health asks GitHub again. */
  const survives = ({
    breaks,
    repairs,
    reason,
  }: {
    breaks: () => void;
    repairs: () => void;
    reason: RegExp;
  }) =>
    faulty.survives({
      breaks: async () => {
        breaks();
        await faulty.world.timePasses(MINUTE);
      },
      isTold: new RegExp(`^200 (.*\\n)*github ok: GitHub does not answer: ${reason.source}`),
      isLogged: [reason, /GitHub does not answer: nothing is evaluated/],
      repairs: async () => {
        repairs();
        await faulty.world.timePasses(MINUTE);
        await faulty.isReady(/^github ok$/m);
      },
    });
  const presents = (certificate: Certificate) => () => {
    tls.setSecureContext({ ...certificate });
    tcpSwitch.cut();
  };

  it("has a host name that is not known", async () => {
    await survives({
      breaks: () => {
        names.knows = false;
        tcpSwitch.cut();
      },
      repairs: () => {
        names.knows = true;
      },
      reason:
        /GitHub's host name is not known: check GHE_HOST and the name server of this machine \(ENOTFOUND\)/,
    });
  });

  it.runIf(inject("isDeep"))("cannot be connected to", async () => {
    await survives({
      breaks: () => {
        tcpSwitch.pointTo(1);
        tcpSwitch.cut();
      },
      repairs: () => tcpSwitch.pointTo(tls.port),
      reason: /the connection to GitHub was closed without an answer/,
    });
  });

  it.each(chooseCases(CERTIFICATES))("has a certificate that %s", async (_problem, { issue, reason }) => {
    await survives({ breaks: presents(issue(authority)), repairs: presents(authority.issue(HOST)), reason });
  });

  it.each(chooseCases(ANSWERS))("answers %s", async (_what, { fault, reason }) => {
    const { faults } = faulty.world.github;
    await survives({
      breaks: () => void faults.add({ ...fault, times: Number.POSITIVE_INFINITY }),
      repairs: () => faults.clear(),
      reason,
    });
  });

  it.runIf(inject("isDeep"))("is silent on every open connection, as after a cable was pulled", async () => {
    await survives({
      breaks: () => tcpSwitch.hold(),
      repairs: () => tcpSwitch.release(),
      reason: /(no answer of GitHub in 10000 ms|no connection to GitHub: check GHE_HOST)/,
    });
    expect(faulty.logged).not.toContain(HOST);
  });
});
