import { createFailure, type Failure } from "../../platform/errors.ts";
import type { HttpAnswer, HttpRequest, Transport } from "../../platform/transport.ts";

/** Origin that the requests name; nothing listens there. */
export const IN_PROCESS_URL = "http://127.0.0.1";

type AnswerRequest = (request: Request) => Response | Promise<Response>;

/** Passes the requests of a platform client to a platform in this process, without a port. */
export const createInProcessTransport = (answerRequest: AnswerRequest): Transport => ({
  send: async (request) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Failure>((resolve) => {
      const { remainingMs } = request;
      const failure = createFailure("timed_out", `no complete answer within ${Math.round(remainingMs)} ms`);
      timer = setTimeout(() => resolve(failure), remainingMs);
    });
    const answer = await Promise.race([send(answerRequest, request), late]);
    clearTimeout(timer);
    return answer;
  },
  close: async () => {},
});

async function send(
  answerRequest: AnswerRequest,
  { method, target, headers, body }: HttpRequest,
): Promise<HttpAnswer | Failure> {
  try {
    const answer = await answerRequest(
      new Request(`${IN_PROCESS_URL}${target}`, { method, headers, ...(body != null && { body }) }),
    );
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      // Not `bytes`: hono's node server replaces the global Response by a class without it.
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  } catch {
    return createFailure("unavailable", "the embedded platform failed");
  }
}
