import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { isSameSecret } from "../same-secret.ts";

/** The connection as Node's server describes it. */
export interface LocalConnection {
  readonly incoming?: {
    readonly socket: { readonly remoteAddress?: string; readonly localAddress?: string };
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

/** The header of the key; the key's file in the data directory is readable by this user only. */
export const KEY_HEADER = "x-tollgate-key";

/** Admits commands of this machine with the key; everybody else receives 404. */
export const createLocalAccess =
  (key: string): MiddlewareHandler<{ Bindings: LocalConnection }> =>
  async (context, next) =>
    isLocalConnection(context.env) && isSameSecret(context.req.header(KEY_HEADER) ?? "", key)
      ? next()
      : context.notFound();

/** The reason of a refusal, for the person at the terminal. */
export const LocalRefusal = z.object({ state: z.literal("refused"), message: z.string(), hint: z.string() });
export type LocalRefusal = Readonly<z.infer<typeof LocalRefusal>>;

/** The HTTP status of a refusal. */
export const REFUSED_STATUS = 422;

const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/** Returns true for a connection of this machine to itself that no proxy forwards. */
function isLocalConnection({ incoming }: LocalConnection): boolean {
  if (incoming === undefined || FORWARDING_HEADERS.some((name) => incoming.headers[name] !== undefined))
    return false;
  const { remoteAddress = "", localAddress } = incoming.socket;
  return remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}
