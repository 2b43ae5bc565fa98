import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { isSameSecret } from "../same-secret.ts";

/** What Node's server tells about a connection. */
export interface LocalConnection {
  readonly incoming?: {
    readonly socket: { readonly remoteAddress?: string; readonly localAddress?: string };
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

/** Carries the key that lies in the data directory, readable by this account alone. */
export const KEY_HEADER = "x-tollgate-key";

/** Lets in commands of this machine that know the key. For everybody else the address does not exist. */
export const localAccess =
  (key: string): MiddlewareHandler<{ Bindings: LocalConnection }> =>
  async (context, next) =>
    isFromHere(context.env) && isSameSecret(context.req.header(KEY_HEADER) ?? "", key)
      ? next()
      : context.notFound();

/** Why a question cannot be answered, for the person at the terminal. */
export const LocalRefusal = z.object({ state: z.literal("refused"), message: z.string(), hint: z.string() });
export type LocalRefusal = Readonly<z.infer<typeof LocalRefusal>>;

/** What a refusal is sent with. */
export const REFUSED = 422;

const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/** A connection of this machine to itself, and not one that a proxy of this machine passes on for somebody else. */
function isFromHere({ incoming }: LocalConnection): boolean {
  if (incoming === undefined || FORWARDED.some((name) => incoming.headers[name] !== undefined)) return false;
  const { remoteAddress = "", localAddress } = incoming.socket;
  return remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}
