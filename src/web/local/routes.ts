import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { readJson } from "../read-json.ts";
import { isSameSecret } from "../same-secret.ts";
import { LINES_TYPE, streamLines } from "../stream-lines.ts";
import { KEY_HEADER, LOCAL_PATH, type LocalDeps, type LocalOperation, REFUSED_STATUS } from "./operation.ts";
import {
  READ_AUDIT,
  READ_EVALUATION,
  READ_RECENT_NAMES,
  READ_RESOLVED_NAMES,
  SUGGEST_LIMITS,
} from "./stored-facts.ts";
import { CREATE_TOKEN, LIST_TOKENS, REVOKE_TOKEN } from "./tokens.ts";

/** The connection as Node's server describes it. */
interface LocalConnection {
  readonly incoming?: {
    readonly socket: { readonly remoteAddress?: string; readonly localAddress?: string };
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

export interface LocalRoutesOptions extends LocalDeps {
  /** Authorizes all of them. */
  readonly key: string;
  /** Called for a failure after a response began; the response then ends early. */
  readonly onError: (error: unknown) => void;
}

/** The routes for the command line of the same machine while this process has the embedded database open. */
export function createLocalRoutes({
  key,
  onError,
  ...deps
}: LocalRoutesOptions): Hono<{ Bindings: LocalConnection }> {
  const app = new Hono<{ Bindings: LocalConnection }>();
  app.use(`${LOCAL_PATH}/*`, createLocalAccess(key));
  const add = <Input, Output>({ path, input, perform }: LocalOperation<Input, Output>) =>
    app.post(path, (context) =>
      answer(context, input, async (read) => Response.json(await perform(deps, read))),
    );
  add(CREATE_TOKEN);
  add(LIST_TOKENS);
  add(REVOKE_TOKEN);
  add(READ_EVALUATION);
  add(READ_RECENT_NAMES);
  add(SUGGEST_LIMITS);
  add(READ_RESOLVED_NAMES);
  return app.post(READ_AUDIT.path, (context) =>
    answer(context, READ_AUDIT.input, async (request) =>
      context.body(streamLines(await READ_AUDIT.perform(deps, request), onError), 200, {
        "content-type": LINES_TYPE,
      }),
    ),
  );
}

const LIMITS = { maxBytes: 4 * 1024, timeoutMs: 5_000 } as const;

async function answer<Input>(
  context: Context,
  shape: z.ZodType<Input>,
  perform: (input: Input) => Promise<Response>,
): Promise<Response> {
  const body = await readJson(context.req.raw, LIMITS);
  const read = shape.safeParse(body.state === "read" ? body.value : undefined);
  if (!read.success) return context.json({ message: "not a request of this operation" }, 400);
  try {
    return await perform(read.data);
  } catch (error) {
    if (!(error instanceof TollgateError && error.code === "usage")) throw error;
    return context.json({ state: "refused", message: error.message, hint: error.hint }, REFUSED_STATUS);
  }
}

/** Admits commands of this machine with the key; everybody else receives 404. */
const createLocalAccess =
  (key: string): MiddlewareHandler<{ Bindings: LocalConnection }> =>
  async (context, next) =>
    isLocalConnection(context.env) && isSameSecret(context.req.header(KEY_HEADER) ?? "", key)
      ? next()
      : context.notFound();

const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/** Returns true for a connection of this machine to itself that no proxy forwards. */
function isLocalConnection({ incoming }: LocalConnection): boolean {
  if (incoming === undefined || FORWARDING_HEADERS.some((name) => incoming.headers[name] !== undefined))
    return false;
  const { remoteAddress = "", localAddress } = incoming.socket;
  return remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}
