import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery } from "../../src/github/webhooks/payload/lane-event.ts";
import { createReceiver, type DeliveryReceiverOptions } from "../../src/github/webhooks/receiver.ts";

export const SECRET = "It's a Secret to Everybody";
export const OWN_APP = 4711;
export const SHA = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";

export const sign = (body: string | Uint8Array, secret = SECRET): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

export interface RunningReceiver {
  readonly url: string;
  readonly port: number;
  readonly accepted: Delivery[];
  readonly logged: string[];
  post(
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
}

/** A door on a real server, remembering what it let in. Another address answers 404. */
export async function startReceiver(
  options: Partial<DeliveryReceiverOptions> = {},
): Promise<RunningReceiver> {
  const accepted: Delivery[] = [];
  const logged: string[] = [];
  const door = createReceiver({
    secret: SECRET,
    ownAppId: OWN_APP,
    platformHosts: ["app.platform.example"],
    accept: async (delivery) => {
      const again = accepted.some(({ id }) => id === delivery.id);
      if (!again) accepted.push(delivery);
      return again ? "duplicate" : "queued";
    },
    log: {
      debug: (fields, message) => logged.push(JSON.stringify({ ...fields, message })),
      warn: (fields, message) => logged.push(JSON.stringify({ ...fields, message })),
    },
    ...options,
  });
  const server: Server = createServer((request, response) => {
    void door(request, response).then((answered) => answered || response.writeHead(404).end("elsewhere"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  const post: RunningReceiver["post"] = async (body, headers = {}) => {
    const response = await fetch(url, {
      method: "POST",
      body: typeof body === "string" ? body : Buffer.from(body),
      headers: {
        "content-type": "application/json",
        "x-github-event": "pull_request",
        "x-github-delivery": crypto.randomUUID(),
        "x-hub-signature-256": sign(body),
        ...headers,
      },
    });
    return { status: response.status, text: await response.text() };
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, port, accepted, logged, post, close };
}

const repository = { id: 77, name: "shop", owner: { login: "acme", id: 9 }, default_branch: "main" };

/** A payload with what every delivery about a repository has. */
export const payload = (members: object): Record<string, unknown> => ({
  installation: { id: 5 },
  repository,
  ...members,
});

export const opened = (members: object = {}): Record<string, unknown> =>
  payload({
    action: "opened",
    number: 12,
    pull_request: { head: { sha: SHA }, base: { ref: "main" } },
    ...members,
  });
