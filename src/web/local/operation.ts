import type { Kysely } from "kysely";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Tables } from "../../store/tables/tables.ts";

/** Path that the routes for commands of this machine have in common. */
export const LOCAL_PATH = "/tollgate/v1/local";

/** The header of the key; the key's file in the data directory is readable by this user only. */
export const KEY_HEADER = "x-tollgate-key";

export interface LocalDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** The operator's own account of the embedded platform. */
  readonly account: string;
}

/** What commands of this machine do in the database: the process that has it open performs it for them, or they do it themselves. */
export interface LocalOperation<Input, Output> {
  /** Path of its route, which takes the input as JSON by POST. */
  readonly path: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** @throws TollgateError `usage` for a refusal: the command was used wrongly */
  perform(deps: LocalDeps, input: Input): Promise<Output>;
}

/** A refusal as it is sent, for the person at the terminal. */
export const LocalRefusal = z.object({ state: z.literal("refused"), message: z.string(), hint: z.string() });
export type LocalRefusal = Readonly<z.infer<typeof LocalRefusal>>;

/** The HTTP status of a refusal. */
export const REFUSED_STATUS = 422;

export const createRefusalError = (message: string, hint: string): TollgateError =>
  new TollgateError("usage", message, { hint });
