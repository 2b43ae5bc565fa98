import { createHash } from "node:crypto";
import type { z } from "zod";
import type { BodyMemory } from "../../../kernel/body-memory.ts";
import { JsonBounds } from "../../../kernel/json-bounds.ts";
import { APIS, type ApiName } from "../../../platform/contract/apis.ts";
import type { Endpoint } from "../../../platform/contract/endpoint.ts";
import { IMPORT_LIMITS } from "../../../platform/contract/imports.ts";
import { createProblem, type Problem } from "../../area/problem.ts";
import { findFormat, type WireFormat } from "./formats.ts";
import { MAX_NESTING, TOO_MANY_VALUES, TOO_NESTED } from "./nesting.ts";
import type { UnparsedBody } from "./parse-body.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** In bytes, by operation; other bodies are small. */
const LIMITS: Readonly<Record<string, number>> = {
  "upload-resource-changes": 8 * MIB,
  ingest: 16 * MIB,
  "upload-import-page": IMPORT_LIMITS.pageBytes,
};
/** In bytes, by service. */
const SMALL: Readonly<Record<ApiName, number>> = {
  provisioning: 64 * KIB,
  cost: MIB,
  flags: 64 * KIB,
  registry: 64 * KIB,
  code: 64 * KIB,
  tollgate: 64 * KIB,
};

/** A request whose body is read, and the memory that the body is counted in. */
export interface BodySource {
  readonly request: Request;
  readonly memory: BodyMemory;
  /** The token of the caller. */
  readonly client: string;
}

/**
 * Reads the request's body in the form that its endpoint requires: what is still to be parsed, bytes as the value, or undefined where
 * it takes none or the body is optional.
 */
export async function readBody(
  endpoint: Endpoint,
  source: BodySource,
): Promise<UnparsedBody | { value: unknown } | Problem> {
  const { body: wanted } = endpoint;
  if (wanted === undefined) return { value: undefined };
  if (wanted !== "bytes") return readValue(endpoint, source, wanted);
  if (!isOctets(source.request.headers.get("content-type")))
    return createWrongTypeProblem("application/octet-stream");
  const bytes = await readChecked(endpoint, source);
  return bytes instanceof Uint8Array ? { value: bytes } : bytes;
}

async function readValue(
  endpoint: Endpoint,
  source: BodySource,
  schema: z.ZodType,
): Promise<UnparsedBody | { value: unknown } | Problem> {
  const { request } = source;
  const contentType = request.headers.get("content-type") ?? "";
  const format = findFormat(endpoint.api, contentType);
  if (isEmpty(request) && format !== "urlencoded") return createMissingBody(schema);
  if (format === null) return createWrongTypeProblem(describeFormats(endpoint.api));
  const bytes = await readChecked(endpoint, source, format);
  if (!(bytes instanceof Uint8Array)) return bytes;
  // A form without fields is an empty text.
  if (bytes.length === 0 && format !== "urlencoded") return createMissingBody(schema);
  return { bytes, format, contentType };
}

const createMissingBody = (schema: z.ZodType): { value: undefined } | Problem =>
  schema.safeParse(undefined).success
    ? { value: undefined }
    : createProblem("bad_request", "the body is missing", {
        fields: [{ field: "body", error: "is missing" }],
      });

const isEmpty = (request: Request): boolean =>
  getStatedLength(request) === 0 && !request.headers.has("transfer-encoding");

/** Bytes may come without a name: that is what a body without a media type is. */
const isOctets = (contentType: string | null): boolean =>
  contentType === null || contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/octet-stream";

const createWrongTypeProblem = (taken: string): Problem =>
  createProblem("unsupported_media_type", `this operation takes ${taken}`);

const describeFormats = (api: ApiName): string =>
  APIS[api].formats.length === 1 ? "application/json" : "application/json, application/yaml and form data";

/** In bytes: parsing YAML takes about a millisecond for each KiB, and nothing else runs in the meantime. */
const MAX_YAML = 64 * KIB;

async function readChecked(
  endpoint: Endpoint,
  source: BodySource,
  format: WireFormat | "bytes" = "bytes",
): Promise<Uint8Array | Problem> {
  const most = LIMITS[endpoint.operation] ?? SMALL[endpoint.api];
  const limit = format === "yaml" ? Math.min(most, MAX_YAML) : most;
  const values = Math.max(MIN_VALUES, Math.round(limit / BYTES_PER_VALUE));
  const bounds = format === "json" ? new JsonBounds({ depth: MAX_NESTING, values }) : null;
  const bytes = await readBytes(source, limit, bounds);
  if (!(bytes instanceof Uint8Array) || hasDigest(bytes, source.request.headers.get("content-digest")))
    return bytes;
  return createProblem("bad_request", "the body does not match the header Content-Digest");
}

/** A body of JSON has fewer lists, objects and members than one for so many bytes of the largest one; small bodies may have more. */
const BYTES_PER_VALUE = 16;
const MIN_VALUES = 10_000;
const EXCEEDED = { depth: TOO_NESTED, values: TOO_MANY_VALUES } as const;

async function readBytes(
  source: BodySource,
  limit: number,
  bounds: JsonBounds | null,
): Promise<Uint8Array | Problem> {
  const tooLarge = createProblem("payload_too_large", `the body is larger than ${limit} bytes`);
  if (getStatedLength(source.request) > limit) return tooLarge;
  try {
    const found = await collect(source, limit, bounds);
    if (found === "busy")
      return createProblem("context_cancelled", "newer bodies needed the memory; send it again");
    if (found instanceof Uint8Array) return found;
    return found === "too_large" ? tooLarge : createProblem("bad_request", `the body ${EXCEEDED[found]}`);
  } catch {
    return createProblem("context_cancelled", "the connection ended before the body was complete");
  }
}

const getStatedLength = ({ headers }: Request): number => Number(headers.get("content-length") ?? "0");

type Dropped = keyof typeof EXCEEDED | "busy";

async function collect(
  { request, memory, client }: BodySource,
  limit: number,
  bounds: JsonBounds | null,
): Promise<Uint8Array | "too_large" | Dropped> {
  const body = new KeptBody(bounds);
  const abort = () => body.drop("busy");
  const held = memory.open({ client, length: getStatedLength(request) || null, abort });
  try {
    let length = 0;
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > limit) return "too_large";
      body.add(chunk);
      if (!body.isDropped && !held.grow(chunk.length)) abort();
    }
    return body.end();
  } finally {
    held.release();
  }
}

/** What is dropped is read to its end, so that the sender gets its answer, and is not kept. */
class KeptBody {
  readonly #bounds: JsonBounds | null;
  #chunks: Uint8Array[] = [];
  #dropped: Dropped | null = null;

  constructor(bounds: JsonBounds | null) {
    this.#bounds = bounds;
  }

  get isDropped(): boolean {
    return this.#dropped !== null;
  }

  add(chunk: Uint8Array): void {
    if (this.#dropped !== null) return;
    const exceeded = this.#bounds?.read(chunk) ?? null;
    if (exceeded === null) this.#chunks.push(chunk);
    else this.drop(exceeded);
  }

  drop(why: Dropped): void {
    this.#dropped = why;
    this.#chunks = [];
  }

  end(): Uint8Array | Dropped {
    return this.#dropped ?? Buffer.concat(this.#chunks);
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
