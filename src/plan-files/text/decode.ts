/** A decoded file. `binary`: the probable kind of a file that is not text. */
export type DecodedFile =
  | { readonly kind: "text"; readonly chunks: AsyncIterable<string> }
  | { readonly kind: "binary"; readonly guessedKind: string }
  | { readonly kind: "empty" };

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** In bytes. Enough to recognise every encoding and every binary format below. */
const DETECTION_BYTES = 16;

const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly seems: string }[] = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    seems: "a binary plan (or another zip archive): run `terraform show -json FILE` first",
  },
  { bytes: [0x1f, 0x8b], seems: "a gzip archive: unpack it first" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], seems: "a zstd archive: unpack it first" },
  { bytes: [0x42, 0x5a, 0x68], seems: "a bzip2 archive: unpack it first" },
  { bytes: [0x25, 0x50, 0x44, 0x46], seems: "a PDF document" },
  { bytes: [0x89, 0x50, 0x4e, 0x47], seems: "a PNG picture" },
  { bytes: [0xff, 0xfe, 0x00, 0x00], seems: "text in UTF-32: save it as UTF-8" },
  { bytes: [0x00, 0x00, 0xfe, 0xff], seems: "text in UTF-32: save it as UTF-8" },
];

/**
 * Decodes bytes as UTF-8 or UTF-16 (little or big endian), with or without a byte-order mark, in chunks of
 * their own size. JSON starts with ASCII, so a zero byte among the first two bytes indicates UTF-16 without a
 * mark.
 */
export async function decodeFile(bytes: AsyncIterable<Uint8Array>): Promise<DecodedFile> {
  const source = bytes[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < DETECTION_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    held.push(next.value);
    size += next.value.length;
  }
  if (size === 0) return { kind: "empty" };
  const head = takeFirstBytes(held);
  const known = SIGNATURES.find(({ bytes: signature }) => signature.every((byte, at) => head[at] === byte));
  if (known !== undefined) return { kind: "binary", guessedKind: known.seems };
  const encoding = detectEncoding(head);
  if (encoding === "utf-8" && head.includes(0)) return { kind: "binary", guessedKind: "a binary file" };
  return { kind: "text", chunks: decodeText(held, source, encoding) };
}

function takeFirstBytes(held: readonly Uint8Array[]): readonly number[] {
  return held.flatMap((chunk) => [...chunk.subarray(0, DETECTION_BYTES)]).slice(0, DETECTION_BYTES);
}

function detectEncoding([first, second]: readonly number[]): Encoding {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second !== 0 && second !== undefined) return "utf-16be";
  if (second === 0 && first !== 0) return "utf-16le";
  return "utf-8";
}

async function* decodeText(
  held: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for (const chunk of held) yield decoder.decode(chunk, { stream: true });
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield decoder.decode(next.value, { stream: true });
  }
  yield decoder.decode();
}
