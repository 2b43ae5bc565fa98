import { once } from "node:events";
import { request } from "node:http";
import { ACCOUNT, type PlatformWorld } from "../test/platform-server/platform-world.ts";

export interface PlatformQuestion {
  readonly json?: unknown;
  readonly bytes?: string;
}

/** One request over a connection of its own: a kept one may end just when a busy machine wants to use it again. */
export async function call(
  world: Pick<PlatformWorld, "url" | "key">,
  [method, path]: readonly [method: string, path: string],
  { json, bytes }: PlatformQuestion = {},
): Promise<string> {
  const body = json === undefined ? bytes : JSON.stringify(json);
  const type = json === undefined ? "application/octet-stream" : "application/json";
  const headers = {
    "x-api-key": world.key,
    "Platform-Account": ACCOUNT,
    ...(body === undefined ? {} : { "content-type": type }),
  };
  const sent = request(world.url + path, { method, headers, agent: false });
  sent.end(body);
  const [answer] = await once(sent, "response");
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk;
  if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return text;
}
