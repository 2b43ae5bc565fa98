import { createHash } from "node:crypto";
import type { BodyMemory } from "../../kernel/body-memory.ts";
import { JsonBounds } from "../../kernel/json-bounds.ts";
import { APIS, type ApiName, type Endpoint } from "../../platform/contract/endpoint.ts";
import { IMPORT_LIMITS } from "../../platform/contract/own-operations.ts";
import { refuse } from "../area/problem.ts";
import { MAX_NESTING, TOO_MANY_VALUES, TOO_NESTED } from "../area/value-limits.ts";
import { findFormat, type WireFormat } from "./formats.ts";
import type { RawInput } from "./read-input.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** In bytes, by operation; other bodies are small. */
const LIMITS: Readonly<Record<string, number>> = {
  "upload-resource-changes": 8 * MIB,
  ingest: 16 * MIB,
  "upload-import-page": IMPORT_LIMITS.pageBytes,
};
const getSmallLimit = (api: ApiName): number => (api === "cost" ? MIB : 64 * KIB);

/** A request whose body is read, and the memory that the body is counted in. */
export interface BodySource {
  readonly request: Request;
  readonly memory: BodyMemory;
}

/**
 * Reads the request's body in the form that its endpoint requires: what is still to be parsed, bytes as the value, or undefined where
 * it takes none or the body is optional. @throws Refusal
 */
export async function readBody(endpoint: Endpoint, source: BodySource): Promise<RawInput["body"]> {
  const { body: wanted, api } = endpoint;
  const { request } = source;
  if (wanted === undefined) return { value: undefined };
  const contentType = request.headers.get("content-type");
  if (wanted === "bytes") {
    if (!isOctets(contentType)) refuseType("application/octet-stream");
    return { value: await readChecked(endpoint, source, "bytes") };
  }
  const format = findFormat(api, contentType ?? "");
  // A form without fields is an empty text.
  if (format !== "urlencoded" && isEmpty(request)) return acceptMissing(wanted);
  if (format === null)
    refuseType(
      APIS[api].formats.length === 1
        ? "application/json"
        : "application/json, application/yaml and form data",
    );
  const bytes = await readChecked(endpoint, source, format);
  if (bytes.length === 0 && format !== "urlencoded") return acceptMissing(wanted);
  return { bytes, format, contentType: contentType ?? "" };
}

function acceptMissing(schema: Exclude<Endpoint["body"], "bytes" | undefined>): { value: undefined } {
  if (schema.safeParse(undefined).success) return { value: undefined };
  refuse("bad_request", "the body is missing", { fields: [{ field: "body", error: "is missing" }] });
}

const isEmpty = (request: Request): boolean =>
  getStatedLength(request) === 0 && !request.headers.has("transfer-encoding");

/** Bytes may come without a name: that is what a body without a media type is. */
const isOctets = (contentType: string | null): boolean =>
  contentType === null || contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/octet-stream";

function refuseType(taken: string): never {
  refuse("unsupported_media_type", `this operation takes ${taken}`);
}

/** In bytes: parsing YAML takes about a millisecond for each KiB, and nothing else runs in the meantime. */
const MAX_YAML = 64 * KIB;

/** A body of JSON has fewer lists, objects and members than one for so many bytes of the largest one; small bodies may have more. */
const BYTES_PER_VALUE = 16;
const MIN_VALUES = 10_000;
const EXCEEDED = { depth: TOO_NESTED, values: TOO_MANY_VALUES } as const;

async function readChecked(
  { operation, api }: Endpoint,
  source: BodySource,
  format: WireFormat | "bytes",
): Promise<Uint8Array> {
  const most = LIMITS[operation] ?? getSmallLimit(api);
  const limit = format === "yaml" ? Math.min(most, MAX_YAML) : most;
  const values = Math.max(MIN_VALUES, Math.round(limit / BYTES_PER_VALUE));
  const bounds = format === "json" ? new JsonBounds({ depth: MAX_NESTING, values }) : null;
  const { request } = source;
  const found =
    getStatedLength(request) > limit
      ? "too_large"
      : await collect(source, limit, bounds).catch(() =>
          refuse("context_cancelled", "the connection ended before the body was complete"),
        );
  if (found === "too_large") refuse("payload_too_large", `the body is larger than ${limit} bytes`);
  if (found === "busy") refuse("context_cancelled", "newer bodies needed the memory; send it again");
  if (!(found instanceof Uint8Array)) refuse("bad_request", `the body ${EXCEEDED[found]}`);
  if (!hasDigest(found, request.headers.get("content-digest")))
    refuse("bad_request", "the body does not match the header Content-Digest");
  return found;
}

const getStatedLength = ({ headers }: Request): number => Number(headers.get("content-length") ?? "0");

/** A body that is dropped is read to its end, so that the sender gets its answer, and is not kept. */
async function collect(
  { request, memory }: BodySource,
  limit: number,
  bounds: JsonBounds | null,
): Promise<Uint8Array | "too_large" | "busy" | keyof typeof EXCEEDED> {
  let chunks: Uint8Array[] = [];
  let dropped: "busy" | keyof typeof EXCEEDED | null = null;
  const drop = (why: NonNullable<typeof dropped>) => {
    dropped = why;
    chunks = [];
  };
  const isDropped = () => dropped !== null;
  const held = memory.open(getStatedLength(request) || null, () => drop("busy"));
  try {
    let length = 0;
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > limit) return "too_large";
      if (isDropped()) continue;
      const exceeded = bounds?.read(chunk) ?? null;
      if (exceeded !== null) drop(exceeded);
      else {
        chunks.push(chunk);
        held.count(chunk);
      }
    }
    return dropped ?? Buffer.concat(chunks);
  } finally {
    held.release();
  }
}

/** `sha256=<hex>` and RFC 9530's `sha-256=:<base64>:` are checked; other digests are not checked. */
function hasDigest(bytes: Uint8Array, header: string | null): boolean {
  const [, hex, base64] =
    /^\s*(?:sha256=([0-9a-f]{64})|sha-256=:([A-Za-z0-9+/]{43}=):)\s*$/i.exec(header ?? "") ?? [];
  if (hex === undefined && base64 === undefined) return true;
  const digest = createHash("sha256").update(bytes);
  return hex === undefined ? digest.digest("base64") === base64 : digest.digest("hex") === hex.toLowerCase();
}
