import { createHash } from "node:crypto";
import type { Endpoint } from "../../platform/contract/endpoint.ts";
import { type Problem, problem } from "./problem.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** In bytes, by operation; other bodies are small. */
const LIMITS: Readonly<Record<string, number>> = {
  "upload-resource-changes": 8 * MIB,
  ingest: 16 * MIB,
  "upload-import-page": 2 * MIB,
};
const SMALL = 64 * KIB;

/** The request's body as its endpoint asks for it: parsed JSON, bytes, or undefined where it takes none. */
export async function readBody(endpoint: Endpoint, request: Request): Promise<{ body: unknown } | Problem> {
  if (endpoint.body === undefined) return { body: undefined };
  const wrongType = checkMediaType(endpoint, request.headers.get("content-type"));
  if (wrongType !== null) return wrongType;
  const bytes = await readBytes(request, LIMITS[endpoint.operation] ?? SMALL);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (!matchesDigest(bytes, request.headers.get("content-digest")))
    return problem("bad_request", "the body does not match the header Content-Digest");
  return endpoint.body === "bytes" ? { body: bytes } : parseJson(bytes);
}

/** JSON must say that it is JSON. Bytes may come without a name: that is what a body without a media type is. */
function checkMediaType(endpoint: Endpoint, header: string | null): Problem | null {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase();
  const bytes = endpoint.body === "bytes";
  if (bytes ? type === undefined || type === "application/octet-stream" : type === "application/json")
    return null;
  const wanted = bytes ? "application/octet-stream" : "application/json";
  return problem("unsupported_media_type", `this operation takes ${wanted}`);
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array | Problem> {
  const tooLarge = problem("payload_too_large", `the body is larger than ${limit} bytes`);
  const stated = Number(request.headers.get("content-length") ?? "0");
  if (stated > limit) return tooLarge;
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > limit) return tooLarge;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  } catch {
    return problem("context_cancelled", "the connection ended before the body was complete");
  }
}

function parseJson(bytes: Uint8Array): { body: unknown } | Problem {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const body: unknown = JSON.parse(text);
    if (text.includes("\\u0000") && holdsNul(body))
      return problem("bad_request", "a text in the body holds the character U+0000");
    return { body };
  } catch {
    return problem("bad_request", "the body is not JSON in UTF-8");
  }
}

/** The database keeps no text with U+0000 in it. */
export function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => holdsNul(key) || holdsNul(member));
}

/** `sha256=<hex>` and RFC 9530's `sha-256=:<base64>:` are checked; other digests are not ours to judge. */
function matchesDigest(bytes: Uint8Array, header: string | null): boolean {
  const [, hex, base64] =
    /^\s*(?:sha256=([0-9a-f]{64})|sha-256=:([A-Za-z0-9+/]{43}=):)\s*$/i.exec(header ?? "") ?? [];
  if (hex === undefined && base64 === undefined) return true;
  const digest = createHash("sha256").update(bytes);
  return hex === undefined ? digest.digest("base64") === base64 : digest.digest("hex") === hex.toLowerCase();
}
