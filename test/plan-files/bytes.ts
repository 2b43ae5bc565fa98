/** The bytes as a stream that arrives in pieces of at most `size` bytes. */
export async function* inPieces(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function utf16(text: string, endian: "little" | "big"): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1)
    view.setUint16(at * 2, text.charCodeAt(at), endian === "little");
  return bytes;
}
