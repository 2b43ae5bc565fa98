/** Media type of lines of JSON. */
export const LINES_TYPE = "application/x-ndjson";

/** Size of one chunk of the response, in characters. */
const CHUNK_LENGTH = 64 * 1024;

/** Streams values as lines of JSON; reads only as fast as the client. */
export function streamLines(
  entries: AsyncGenerator<object>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (stream) => {
        let lines = "";
        try {
          while (lines.length < CHUNK_LENGTH) {
            const next = await entries.next();
            if (next.done) break;
            lines += `${JSON.stringify(next.value)}\n`;
          }
        } catch (error) {
          onError(error);
          throw error;
        }
        if (lines === "") stream.close();
        else stream.enqueue(encoder.encode(lines));
      },
      cancel: async () => {
        await entries.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
