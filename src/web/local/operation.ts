import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { readJson } from "../read-json.ts";
import { type LocalRefusal, REFUSED_STATUS } from "./access.ts";

/** Path that the routes for commands of this machine have in common. */
export const LOCAL_PATH = "/tollgate/v1/local";

export interface LocalDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** The operator's own account of the embedded platform. */
  readonly account: string;
}

/** What commands of this machine do in the database: the process that has it open performs it for them, or they do it themselves. */
export interface LocalOperation<Input, Output extends object> {
  /** Path of its route, which takes the input as JSON by POST. */
  readonly path: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  perform(deps: LocalDeps, input: Input): Promise<Output | LocalRefusal>;
}

/** Serves an operation; its caller admits the senders. */
export const createOperationRoute = <Input, Output extends object>(
  { path, input, perform }: LocalOperation<Input, Output>,
  deps: LocalDeps,
): Hono =>
  new Hono().post(path, async (context) => {
    const read = await readInput(context.req.raw, input);
    if (!read.success) return context.json({ message: "not a request of this operation" }, 400);
    const output = await perform(deps, read.data);
    return context.json(output, isRefusal(output) ? REFUSED_STATUS : 200);
  });

const LIMITS = { maxBytes: 4 * 1024, timeoutMs: 5_000 } as const;

/** Reads the input of an operation from a request. */
export async function readInput<Input>(request: Request, schema: z.ZodType<Input>) {
  const body = await readJson(request, LIMITS);
  return schema.safeParse(body.state === "read" ? body.value : undefined);
}

export const isRefusal = (output: object): output is LocalRefusal =>
  "state" in output && output.state === "refused";
