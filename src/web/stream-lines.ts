/** Media type of lines of JSON. */
export const LINES_TYPE = "application/x-ndjson";

/** Size of one chunk of the response, in characters. */
const CHUNK_LENGTH = 64 * 1024;

/** Streams values as lines of JSON; reads only as fast as the client. `onError` receives a failure, which ends the stream early. */
export const streamLines = (
  entries: AsyncIterable<object>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => ReadableStream.from(formatChunks(entries, onError));

async function* formatChunks(
  entries: AsyncIterable<object>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let lines = "";
  try {
    for await (const entry of entries) {
      lines += `${JSON.stringify(entry)}\n`;
      if (lines.length < CHUNK_LENGTH) continue;
      yield encoder.encode(lines);
      lines = "";
    }
  } catch (error) {
    onError(error);
    throw error;
  }
  if (lines !== "") yield encoder.encode(lines);
}
