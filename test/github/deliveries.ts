import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type { Probot } from "probot";
import { type DeliveryIntake, registerEvents } from "../../src/github/webhooks/events.ts";
import type { Delivery } from "../../src/github/webhooks/lane-event.ts";
import { createReceiver, type GuardOptions, type NodeHandler } from "../../src/github/webhooks/receiver.ts";

const SECRET = "It's a Secret to Everybody";
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

const SILENT = pino({ level: "silent" });

const INTAKE: DeliveryIntake = {
  ownAppId: OWN_APP,
  platformHosts: ["app.platform.example"],
  platformAppIds: [],
  accept: async () => "queued",
  log: { warn: () => {} },
};

/** Probot's webhooks behind the guard, as `tollgate start` serves them. */
export async function serveEvents(
  intake: Partial<DeliveryIntake> = {},
  guard: GuardOptions = {},
  log = SILENT,
): Promise<readonly NodeHandler[]> {
  return createReceiver((app) => registerEvents(app, { ...INTAKE, ...intake }), {
    appId: OWN_APP,
    privateKey: "a key that signs nothing",
    webhookSecret: SECRET,
    log,
    ...guard,
  });
}

/** These on a real server, remembering what they let in. Another address answers 404. */
export async function startReceiver(
  intake: Partial<DeliveryIntake> = {},
  guard: GuardOptions = {},
  log = SILENT,
): Promise<RunningReceiver> {
  const accepted: Delivery[] = [];
  const logged: string[] = [];
  const [receiver] = await serveEvents(
    {
      accept: async (delivery) => {
        accepted.push(delivery);
        return "queued";
      },
      log: { warn: (fields, message) => logged.push(JSON.stringify({ ...fields, message })) },
      ...intake,
    },
    guard,
    log,
  );
  const server = createServer(async (request, response) => {
    if ((await receiver?.(request, response)) !== true) response.writeHead(404).end("elsewhere");
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

type Handler = (delivery: { id: string; name: string; payload: unknown }) => Promise<void>;

/** The handlers of the events, by the names with which they are registered. */
export function collectHandlers(intake: Partial<DeliveryIntake> = {}): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  const on = (name: string, handler: Handler): void => void handlers.set(name, handler);
  registerEvents({ on } as unknown as Probot, { ...INTAKE, ...intake }); // it calls nothing else
  return handlers;
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
