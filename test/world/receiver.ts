import { createServer, type IncomingHttpHeaders } from "node:http";

interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By the monotonic clock, in ms. */
  readonly atMs: number;
}

/** What a receiver answers; `hang`: nothing, until it is closed. */
type ReceiverAnswer =
  | "hang"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A server on loopback to which messages are sent. */
export interface Receiver {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The text of every request so far. */
  texts(): string;
  /** What it answers from now on; 200 before. */
  answers(answer: ReceiverAnswer): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let answer: ReceiverAnswer = { status: 200, body: "ok" };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString();
      requests.push({ path: request.url ?? "", headers: request.headers, body, atMs: performance.now() });
      if (answer === "hang") return;
      response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    texts: () => requests.map(({ body }) => body).join("\n"),
    answers: (next) => {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
