import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";

/** After this silence in the middle of a response, in ms, a running Tollgate counts as failed. */
const SILENCE_MS = 60_000;

/**
 * Returns the lines of a response as they arrive. The next line is read from the connection only when the
 * caller requests it.
 *
 * @throws TollgateError `running_failed` when the connection ends before the response does
 */
export async function* readAnswerLines(body: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const chunk of readAnswerChunks(body)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") throw createCutOffError();
}

/** Returns the bytes of a response as they arrive. Throws `running_failed` like `readAnswerLines`. */
export async function* readAnswerChunks(body: IncomingMessage): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const silence = setTimeout(() => body.destroy(new Error("silent")), SILENCE_MS);
      const next = await chunks
        .next()
        .catch((cause: unknown) => {
          throw createCutOffError(cause);
        })
        .finally(() => clearTimeout(silence));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    body.destroy();
  }
}

/**
 * An answer that is one JSON document. Throws `running_failed` when it is cut off or does not fit the schema; `hint` says what to do about
 * the latter.
 */
export async function readAnswer<T>(body: IncomingMessage, schema: z.ZodType<T>, hint?: string): Promise<T> {
  const answer: unknown = await json(readAnswerChunks(body)).catch((cause: unknown) => {
    throw createCutOffError(cause);
  });
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw createUnknownAnswerError(hint);
}

/** Creates the error for an incomplete response. */
export const createCutOffError = (cause?: unknown): TollgateError =>
  new TollgateError("running_failed", "the Tollgate that runs here broke off in the middle of its answer", {
    cause,
    retryable: true,
    hint: "What was printed is not whole. It may have been restarted: run the command again. If not, its log says why.",
  });

/** Creates the error for a response that this version cannot parse. */
export const createUnknownAnswerError = (hint = OTHER_VERSION): TollgateError =>
  new TollgateError("running_failed", "the Tollgate that runs here answers in a way that is not known", {
    hint,
  });

/** Hint for a process of another version. */
export const OTHER_VERSION =
  "It is of another version: restart it with this one, or stop it and run the command again.";
