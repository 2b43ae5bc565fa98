import { parse } from "yaml";
import type { z } from "zod";
import { createProblem, type Problem } from "../../area/problem.ts";
import { readForm } from "./form.ts";
import type { WireFormat } from "./formats.ts";
import { isNestedDeeperThan, MAX_NESTING, TOO_NESTED } from "./nesting.ts";

/** A body whose bytes have arrived. */
export interface UnparsedBody {
  readonly bytes: Uint8Array;
  readonly format: WireFormat;
  readonly contentType: string;
}

/** Parses a body's bytes to a value; the schema of its members is not checked here. */
export async function parseBody(
  { bytes, format, contentType }: UnparsedBody,
  schema: z.ZodType,
): Promise<{ value: unknown } | Problem<"bad_request">> {
  try {
    const value = await PARSERS[format](bytes, { contentType, schema });
    // JSON was counted while it was read.
    if (format !== "json" && isNestedDeeperThan(value, MAX_NESTING))
      return createProblem("bad_request", `the body ${TOO_NESTED}`);
    // Looking through a large body takes time, and JSON cannot hold the character unless it is written out.
    if ((format === "json" && !Buffer.from(bytes).includes("\\u0000")) || !hasNul(value)) return { value };
    return createProblem("bad_request", "a text in the body holds the character U+0000");
  } catch {
    const more = format === "json" ? { code: "INVALID_JSON_PAYLOAD" } : {};
    return createProblem("bad_request", `the body is not ${NAMES[format]} in UTF-8`, more);
  }
}

const NAMES: Readonly<Record<WireFormat, string>> = {
  json: "JSON",
  yaml: "YAML without aliases",
  multipart: "a form of texts",
  urlencoded: "a form of texts",
};

interface Hints {
  readonly contentType: string;
  readonly schema: z.ZodType;
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

const PARSERS: Readonly<Record<WireFormat, (bytes: Uint8Array, hints: Hints) => unknown>> = {
  json: (bytes) => JSON.parse(decodeText(bytes)),
  // An alias may stand for a large part, which may itself hold aliases: a few lines could fill the memory.
  yaml: (bytes) => parse(decodeText(bytes), { maxAliasCount: 0, logLevel: "error", schema: "core" }),
  multipart: parseForm,
  urlencoded: parseForm,
};

async function parseForm(bytes: Uint8Array, { contentType, schema }: Hints): Promise<unknown> {
  // A copy, because a response takes no view of a shared buffer.
  const form = await new Response(Uint8Array.from(bytes), {
    headers: { "content-type": contentType },
  }).formData();
  const fields = [...form].map(([name, value]): [string, string] => {
    if (typeof value === "string") return [name, value];
    throw new TypeError("files are not taken");
  });
  return readForm(schema, fields);
}

/** Whether a text of the value contains U+0000, which the database cannot store. */
export function hasNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => hasNul(key) || hasNul(member));
}
