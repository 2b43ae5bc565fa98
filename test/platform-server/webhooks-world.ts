import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTargetGuard } from "../../src/platform-server/area/target-guard.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "../../src/platform-server/area/webhook-settings.ts";
import { deliverWebhook } from "../../src/platform-server/webhooks/deliver.ts";
import { createSeal } from "../../src/store/seal.ts";
import type { TestEngine } from "../world/engines.ts";
import { ACCOUNT, type PlatformWorld, servePlatform } from "./platform-world.ts";

export const REGISTRY = "/har/api/v1/registry/acc-1/o/p/images/+/webhooks";
export const REGISTRY_REF = "acc-1/o/p/images/+";
const SPACE = "accountIdentifier=acc-1&orgIdentifier=o&projectIdentifier=p";
/** Of the repository `shop`, or of a space; `rest` is what follows `/webhooks`. */
export const repoPath = (rest = "", query = SPACE) => `/code/api/v1/repos/shop/webhooks${rest}?${query}`;
export const spacePath = (rest = "", query = SPACE) => `/code/api/v1/webhooks${rest}?${query}`;

export const ARTIFACT = { artifact_info: { type: "DOCKER", name: "web", version: "1.2.3" } };

/** What a receiver was sent. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly heard: Heard[];
  /** How it answers from now on. */
  answers(how: (response: ServerResponse, heard: Heard) => void): void;
  close(): Promise<void>;
}

/** A target on loopback that answers 200 until told otherwise. */
async function openReceiver(): Promise<Receiver> {
  const heard: Heard[] = [];
  let how = (response: ServerResponse, _heard: Heard): void => void response.end("ok");
  const server = createServer(async (request, response) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of request) pieces.push(piece);
    const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(pieces).toString() };
    heard.push(one);
    how(response, one);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    heard,
    answers: (next) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const OPERATOR_KEY = "an operator's key that nobody can guess";

/** Loopback is allowed, there is a key, and one secret has a value. */
export const OPEN_WEBHOOKS: WebhookSettings = {
  ...STRICT_WEBHOOKS,
  guard: createTargetGuard(["127.0.0.1"]),
  seal: createSeal(OPERATOR_KEY, "webhook secrets"),
  secrets: new Map([["signing", "the value of a named secret"]]),
};

export interface WebhookWorld extends PlatformWorld {
  readonly receiver: Receiver;
  readonly webhooks: WebhookSettings;
  /** Runs what is on the queue once; says of each job whether the queue would try it again. */
  work(): Promise<readonly ("done" | "again")[]>;
  /** As `work` until nothing is left, like a queue without its pauses; returns the number of runs. */
  workOff(): Promise<number>;
  /** Takes every webhook and everything heard away. */
  reset(): Promise<void>;
  emit(body: object): Promise<{ status: number; queued: number }>;
}

export async function openWebhookWorld(
  engine: TestEngine,
  webhooks: WebhookSettings = OPEN_WEBHOOKS,
): Promise<WebhookWorld> {
  const store = await engine.open();
  const platform = await servePlatform(store, ACCOUNT, { webhooks });
  const receiver = await openReceiver();
  const deps = { db: store.db, clock: platform.clock, dialect: "neutral", webhooks } as const;
  const work = async () => {
    const jobs = platform.jobs.splice(0);
    return Promise.all(
      jobs.map(async (job) => {
        if (job.kind !== "webhook-delivery") throw new Error("no other job belongs here");
        try {
          await deliverWebhook(deps, job);
          return "done" as const;
        } catch {
          platform.jobs.push(job);
          return "again" as const;
        }
      }),
    );
  };
  return {
    ...platform,
    receiver,
    webhooks,
    work,
    workOff: async () => {
      let runs = 0;
      while (platform.jobs.length > 0 && runs < 100) runs += (await work()).length;
      return runs;
    },
    reset: async () => {
      platform.jobs.length = 0;
      receiver.heard.length = 0;
      receiver.answers((response) => void response.end("ok"));
      await store.db.deleteFrom("platform_hooks").execute();
      await store.db.deleteFrom("platform_hook_parents").execute();
    },
    emit: async (body) => {
      const answer = await platform.call("POST", "/tollgate/v1/emit", { json: body });
      return { status: answer.status, queued: answer.body.deliveries?.length ?? 0 };
    },
    close: async () => {
      await receiver.close();
      await platform.close();
      await store.close();
    },
  };
}

export const registryHook = (url: string, more: object = {}) => ({
  identifier: "hook",
  name: "Hook",
  url,
  enabled: true,
  insecure: false,
  ...more,
});
