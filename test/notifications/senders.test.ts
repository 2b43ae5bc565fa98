import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { sendMessage, type TargetAddress } from "../../src/notifications/deliver.ts";
import type { Notification } from "../../src/policy/notifications/notification.ts";
import { OperatorFile, resolveNames } from "../../src/settings/operator.ts";
import type { Settings } from "../../src/settings/read.ts";
import { buildNotificationDelivery } from "../../src/wiring/notifications/delivery-targets.ts";
import { SlackPayload, TeamsPayload } from "../render/notifications/payload-schemas.ts";
import { type Receiver, startReceiver } from "../world/receiver.ts";
import { type SmtpSink, startSmtpSink } from "./smtp-sink.ts";

function getOnly<T>(list: readonly T[]): T {
  const [only] = list;
  if (only === undefined || list.length > 1) throw new RangeError(`expected one, found ${list.length}`);
  return only;
}

const HOSTILE: Notification = {
  event: "blocked",
  pull: {
    repository: "acme/shop",
    number: 7,
    title: "a\r\nBcc: everyone@evil.example <!channel>",
    author: "octocat",
  },
  changes: [],
  rules: [],
  moreRules: 0,
};
const NOW = Date.UTC(2027, 0, 2, 3, 4, 5);
const SECRET = "a secret of the receiver's and ours";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  open.push(started);
  return started;
}
async function sink(): Promise<SmtpSink> {
  const started = await startSmtpSink();
  open.push(started);
  return started;
}

const settings: Settings = {
  dataDirectory: "data",
  databaseUrl: null,
  platform: { kind: "embedded", account: "acc" },
  github: null,
  githubUrl: null,
  githubWriteSpacingMs: 0,
  laneSpacingMs: 0,
  port: 0,
  host: null,
  publicUrl: "https://tollgate.example.com",
  oidcIssuer: null,
  trustedProxies: [],
  operator: resolveNames(OperatorFile.parse({})),
  encryptionKey: null,
  orgPolicy: "read",
  alwaysCheck: false,
  logLevel: "silent",
  databaseConnections: 15,
  githubBatch: true,
  telemetry: { metricsPort: null, metricsToken: null, tracesUrl: null },
};

function send(address: TargetAddress, { notifications = [HOSTILE], timeoutMs = 5_000 } = {}) {
  const { renderer, senders } = buildNotificationDelivery(settings, { warn: () => {} }, timeoutMs);
  const text = renderer.message(notifications, { target: "finops", isDigest: false });
  return sendMessage(senders, address, { id: "notification_1", text, notifications, nowMs: NOW });
}

describe("a target of Slack or Teams", () => {
  it("gets one POST with a payload that the service takes", async () => {
    const { url, requests } = await receiver();
    expect(await send({ kind: "slack", url: `${url}/services/T0/B0/x` })).toEqual({ state: "sent" });
    expect(await send({ kind: "teams", url: `${url}/workflows/1?sig=x` })).toEqual({ state: "sent" });
    expect(requests.map(({ path }) => path)).toEqual(["/services/T0/B0/x", "/workflows/1?sig=x"]);
    SlackPayload.parse(JSON.parse(requests[0]?.body ?? ""));
    TeamsPayload.parse(JSON.parse(requests[1]?.body ?? ""));
    expect(requests[0]?.headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});

describe("a target that is a webhook", () => {
  it("gets the notifications as data, with a signature by Standard Webhooks over id, time and body", async () => {
    const { url, requests } = await receiver();
    await send({ kind: "webhook", url, secret: SECRET });
    const { headers, body } = getOnly(requests);
    const timestamp = headers["webhook-timestamp"];
    expect(timestamp).toBe(`${NOW / 1_000}`);
    const signed = createHmac("sha256", SECRET)
      .update(`notification_1.${timestamp}.${body}`)
      .digest("base64");
    expect(headers["webhook-id"]).toBe("notification_1");
    expect(headers["webhook-signature"]).toBe(`v1,${signed}`);
    expect(JSON.parse(body)).toMatchObject({
      type: "tollgate.notification",
      timestamp: "2027-01-02T03:04:05.000Z",
      data: {
        title: "Blocked: acme/shop #7",
        notifications: [
          {
            event: "blocked",
            pull: { repository: "acme/shop", number: 7, title: "a\r\nBcc: everyone@evil.example <!channel>" },
            links: [{ url: "https://github.com/acme/shop/pull/7" }, { label: "Details" }],
          },
        ],
      },
    });
  });

  it("is signed with the bytes of a secret in the form whsec_", async () => {
    const { url, requests } = await receiver();
    const key = Buffer.from("0123456789abcdef01234567");
    await send({ kind: "webhook", url, secret: `whsec_${key.toString("base64")}` });
    const { headers, body } = getOnly(requests);
    const text = `notification_1.${headers["webhook-timestamp"]}.${body}`;
    expect(headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(text).digest("base64")}`,
    );
  });
});

describe("what a target answers", () => {
  it.each([
    [{ status: 204 }, { state: "sent" }],
    [
      { status: 503, headers: { "retry-after": "120" } },
      { state: "unavailable", problem: "it answered with the status 503", afterMs: 120_000 },
    ],
    [{ status: 429 }, { state: "unavailable", problem: "it answered with the status 429", afterMs: null }],
    [
      { status: 404, body: "no_service for https://hooks.example/secret" },
      { state: "refused", problem: "it answered with the status 404" },
    ],
  ] as const)("%j means that the message is %j", async (answer, expected) => {
    const target = await receiver();
    target.answers(answer);
    expect(await send({ kind: "slack", url: target.url })).toEqual(expected);
  });

  it("with a redirect is refused, and the other address gets nothing", async () => {
    const [target, other] = [await receiver(), await receiver()];
    target.answers({ status: 307, headers: { location: other.url } });
    expect(await send({ kind: "slack", url: target.url })).toMatchObject({ state: "refused" });
    expect(other.requests).toEqual([]);
  });

  it("is not waited for longer than the time limit", async () => {
    const target = await receiver();
    target.answers("hang");
    expect(await send({ kind: "slack", url: target.url }, { timeoutMs: 200 })).toEqual({
      state: "unavailable",
      problem: "it did not answer within 200 ms",
      afterMs: null,
    });
  });

  it("is not read to its end when it is endless", async () => {
    const target = await receiver();
    target.answers({ status: 200, body: "x".repeat(10_000_000) });
    expect(await send({ kind: "slack", url: target.url })).toEqual({ state: "sent" });
  });

  it("may be nothing at all: the address is not in the reason", async () => {
    const target = await receiver();
    await target.close();
    open.length = 0;
    expect(await send({ kind: "slack", url: `${target.url}/secret` })).toEqual({
      state: "unavailable",
      problem: "it could not be reached (ECONNREFUSED)",
      afterMs: null,
    });
  });
});

describe("a target by e-mail", () => {
  const address = (smtp: string): TargetAddress => ({
    kind: "email",
    smtp,
    from: "tollgate@example.com",
    to: ["finops@example.com", "cfo@example.com"],
  });

  it("gets one mail in text and HTML, with the login of its URL", async () => {
    const { url, mails } = await sink();
    expect(await send(address(url))).toEqual({ state: "sent" });
    const { from, to, raw, user } = getOnly(mails);
    expect({ from, to, user }).toEqual({
      from: "tollgate@example.com",
      to: ["finops@example.com", "cfo@example.com"],
      user: "tollgate",
    });
    expect(raw).toMatch(/^From: Tollgate <tollgate@example.com>\r$/m);
    expect(raw).toMatch(/^Subject: Blocked: acme\/shop #7\r$/m);
    expect(raw).toMatch(/^Message-ID: <notification_1@example.com>\r$/m);
    expect(raw).toMatch(/^Content-Type: text\/plain/m);
    expect(raw).toMatch(/^Content-Type: text\/html/m);
  });

  it("gets no header and no recipient from a hostile title", async () => {
    const { url, mails } = await sink();
    await send(address(url));
    expect(mails[0]?.to).toEqual(["finops@example.com", "cfo@example.com"]);
    expect(mails[0]?.raw).not.toMatch(/^Bcc:/im);
    expect(mails[0]?.raw).toContain("Bcc: everyone@evil.example");
  });

  it.each([
    [550, { state: "refused", problem: "it answered with the status 550" }],
    [450, { state: "unavailable", problem: "it answered with the status 450", afterMs: null }],
  ])("that answers %i is %j", async (status, expected) => {
    const server = await sink();
    server.refuses(status);
    expect(await send(address(server.url))).toEqual(expected);
  });

  it("with a wrong password is refused, and the reason has no password", async () => {
    const { url } = await sink();
    const result = await send(address(url.replace("pass%20word", "wrong-password")));
    expect(result).toMatchObject({ state: "refused" });
    expect(JSON.stringify(result)).not.toContain("wrong-password");
  });

  it("that is on another machine and offers no encryption gets nothing", async () => {
    // An address of this machine that is not known as such.
    const { url, mails, close } = await startSmtpSink("127.0.0.2");
    open.push({ close });
    expect(await send(address(url))).toEqual({
      state: "refused",
      problem: "it answered with the status 500", // to STARTTLS
    });
    expect(mails).toEqual([]);
  });
});
