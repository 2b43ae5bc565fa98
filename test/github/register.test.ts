import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { createNodeMiddleware, Probot } from "probot";
import { expect, it, onTestFinished } from "vitest";
import { type DeliveryIntake, registerEvents } from "../../src/github/webhooks/events.ts";
import type { Delivery } from "../../src/github/webhooks/lane-event.ts";
import { OWN_APP, opened, SECRET, SHA, sign } from "./deliveries.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Probot's own middleware with Tollgate's events; resolves to what posts a signed delivery there. */
async function probotWith(accept: DeliveryIntake["accept"]) {
  const silent = pino({ level: "silent" });
  const intake = { ownAppId: OWN_APP, platformHosts: [], platformAppIds: [], accept, log: silent };
  const probot = new Probot({ appId: OWN_APP, privateKey, secret: SECRET, log: silent });
  const middleware = await createNodeMiddleware((app) => registerEvents(app, intake), { probot });
  const server = createServer((request, response) => void middleware(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return async (event: string, payload: unknown, id: string = crypto.randomUUID()) => {
    const body = JSON.stringify(payload);
    const headers = {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": sign(body),
    };
    const response = await fetch(`http://127.0.0.1:${port}/api/github/webhooks`, {
      method: "POST",
      body,
      headers,
    });
    return { status: response.status, text: await response.text() };
  };
}

it("Probot hands on a delivery reduced to what its lane needs, and answers 200", async () => {
  const accepted: Delivery[] = [];
  const post = await probotWith(async (delivery) => {
    accepted.push(delivery);
    return "queued";
  });
  expect((await post("pull_request", opened(), "0a1b")).status).toBe(200);
  expect(accepted).toEqual([
    { id: "0a1b", event: expect.objectContaining({ kind: "pull", number: 12, headSha: SHA }) },
  ]);
});

it("Probot answers 200 to an event that Tollgate does not reduce, and hands nothing on", async () => {
  const post = await probotWith(() => Promise.reject(new Error("nothing is to be stored")));
  expect((await post("star", opened())).status).toBe(200);
  expect((await post("pull_request", { action: "opened" })).status).toBe(200);
});

it("Probot answers 503 without the database's own words when a delivery cannot be stored", async () => {
  const post = await probotWith(() => Promise.reject(new Error("no route to höst db.internal")));
  const { status, text } = await post("pull_request", opened());
  expect(status).toBe(503);
  expect(text).toContain("the delivery could not be stored");
  expect(text).not.toContain("db.internal");
});

it("Probot answers 400 to a delivery whose id is none of GitHub's", async () => {
  const post = await probotWith(() => Promise.reject(new Error("nothing is to be stored")));
  expect((await post("pull_request", opened(), "../../x")).status).toBe(400);
});
