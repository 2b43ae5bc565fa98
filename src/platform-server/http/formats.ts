import { stringify } from "yaml";
import { APIS, type ApiName, type BodyFormat } from "../../platform/contract/endpoint.ts";
import { formatForm } from "./form.ts";

/** A format as media types distinguish it: forms have two. */
export type WireFormat = "json" | "yaml" | "multipart" | "urlencoded";

const MEDIA_TYPES: Readonly<Record<string, WireFormat>> = {
  "application/json": "json",
  "application/yaml": "yaml",
  "application/x-yaml": "yaml",
  "text/yaml": "yaml",
  "text/x-yaml": "yaml",
  "multipart/form-data": "multipart",
  "application/x-www-form-urlencoded": "urlencoded",
};
const FORMATS: Readonly<Record<WireFormat, BodyFormat>> = {
  json: "json",
  yaml: "yaml",
  multipart: "form",
  urlencoded: "form",
};

/** Returns the format for a media type; null: the service does not accept it. */
export function findFormat(api: ApiName, contentType: string): WireFormat | null {
  const format = MEDIA_TYPES[stripParameters(contentType)];
  return format !== undefined && APIS[api].formats.includes(FORMATS[format]) ? format : null;
}

/** Returns the format of the answer: the request's own; without a body, the one that the Accept header prefers. */
export function answerFormat(
  request: Request,
  { api, mayHaveBody }: { readonly api: ApiName; readonly mayHaveBody: boolean },
): WireFormat {
  const own = mayHaveBody ? findFormat(api, request.headers.get("content-type") ?? "") : null;
  return own ?? (isYamlPreferred(api, request.headers.get("accept") ?? "") ? "yaml" : "json");
}

function isYamlPreferred(api: ApiName, accept: string): boolean {
  if (!APIS[api].formats.includes("yaml")) return false;
  const wanted = accept
    .split(",")
    .map((one) => ({ type: stripParameters(one), weight: Number(/;\s*q=([\d.]+)/.exec(one)?.[1] ?? "1") }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const first = wanted.find(({ type }) => type in MEDIA_TYPES || type === "*/*" || type === "application/*");
  return first !== undefined && MEDIA_TYPES[first.type] === "yaml";
}

const stripParameters = (mediaType: string): string => mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Longer answers are not laid out in lines, in characters of JSON: that takes about a millisecond for each 1,000 of them. */
const LONGEST_LAID_OUT = 65_536;

/**
 * A value in YAML. Texts are quoted, so that readers of YAML 1.1 do not take them for booleans, numbers or
 * dates either. What JSON writes is YAML too.
 */
function toYaml(body: unknown): string {
  const json = JSON.stringify(body);
  if (json.length > LONGEST_LAID_OUT) return json;
  return stringify(body, {
    aliasDuplicateObjects: false,
    defaultStringType: "QUOTE_DOUBLE",
  });
}

/** Creates an answer with a body. A media type in `headers` applies to JSON only: other formats have their own. */
export function write(format: WireFormat, body: unknown, { status, headers }: Head): Response {
  if (format === "json") return Response.json(body, { status, headers });
  const { "content-type": _, ...others } = headers;
  if (format === "yaml")
    return new Response(toYaml(body), {
      status,
      headers: { ...others, "content-type": "application/yaml; charset=utf-8" },
    });
  const form = formatForm(body);
  if (format === "urlencoded")
    return new Response(new URLSearchParams(form), {
      status,
      headers: others,
    });
  const parts = new FormData();
  for (const [name, text] of form) parts.append(name, text);
  return new Response(parts, { status, headers: others });
}
