import { stringify } from "yaml";
import { APIS, type Endpoint, type LooseInput } from "../../src/platform/contract/endpoint.ts";
import { getEndpointPath } from "../../src/platform/contract/wire/codec.ts";
import { DIALECTS, type DialectName, translate } from "../../src/platform/contract/wire/translate.ts";

/** A request that nobody checked. `target` with prefix and query. */
export interface LooseRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** How a body is written, by its media type. */
export type BodyType =
  | "application/json"
  | "application/yaml"
  | "multipart/form-data"
  | "application/x-www-form-urlencoded";

interface Caller {
  readonly dialect: DialectName;
  readonly account: string;
  readonly key: string;
  /** JSON when absent. */
  readonly type?: BodyType;
}

/** The request that our client would send if it sent everything. */
export function looseRequest(endpoint: Endpoint, input: LooseInput, caller: Caller): LooseRequest {
  const { dialect, account, key, type: bodyType = "application/json" } = caller;
  const body = bodyOf(endpoint, input.body, { dialect, type: bodyType });
  const type =
    endpoint.body === "bytes" ? "application/octet-stream" : `${bodyType}${BOUNDARY[bodyType] ?? ""}`;
  const given = Object.entries(input.headers ?? {}).filter(([, value]) => value !== undefined);
  return {
    method: endpoint.method,
    target: pathOf(endpoint, input.params ?? {}, dialect) + queryOf(endpoint, input.query ?? {}, caller),
    headers: {
      "x-api-key": key,
      [DIALECTS[dialect].accountHeader]: account,
      ...(body === null ? {} : { "content-type": type, "content-length": `${body.byteLength}` }),
      ...Object.fromEntries(given.map(([name, value]) => [name, textOf(value)])),
    },
    body,
  };
}

function pathOf(endpoint: Endpoint, params: Readonly<Record<string, unknown>>, dialect: DialectName): string {
  const written = endpoint.params === undefined ? params : translate(endpoint.params, params, dialect);
  const values = new Map(Object.entries(written as object)); // an object stays one
  return getEndpointPath(endpoint, dialect).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = textOf(values.get(name));
    if (!endpoint.slashes?.includes(name)) return encodeURIComponent(value.toWellFormed());
    const pieces = value.toWellFormed().split("/");
    return pieces.map((piece) => (piece === "+" ? piece : encodeURIComponent(piece))).join("/");
  });
}

function queryOf(
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
  { dialect, account }: Caller,
): string {
  const query = new URLSearchParams();
  if (APIS[endpoint.api].account === "query") query.append("accountIdentifier", account);
  const written = endpoint.query === undefined ? values : translate(endpoint.query, values, dialect);
  for (const [name, value] of Object.entries(written as object)) {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of all.filter((given) => given !== undefined)) query.append(name, textOf(one));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function bodyOf(
  { body: schema }: Endpoint,
  body: unknown,
  { dialect, type }: { readonly dialect: DialectName; readonly type: BodyType },
): Uint8Array | null {
  if (schema === undefined || body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  if (schema === "bytes") return Buffer.from(textOf(body));
  return Buffer.from(WRITERS[type](translate(schema, body, dialect)));
}

const WRITERS: Readonly<Record<BodyType, (value: unknown) => string>> = {
  "application/json": (value) => JSON.stringify(value),
  "application/yaml": (value) => stringify(value),
  "application/x-www-form-urlencoded": (value) =>
    `${new URLSearchParams(fieldsOf(value).map(([name, text]): [string, string] => [name, text]))}`,
  "multipart/form-data": (value) =>
    [
      ...fieldsOf(value).map(
        ([name, text]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
      ),
      "--part--\r\n",
    ].join(""),
};
const BOUNDARY: Partial<Record<BodyType, string>> = { "multipart/form-data": "; boundary=part" };

/** A value as fields of a form: a field for each element of a list, JSON for what has members; a list alone is `items`. */
function fieldsOf(value: unknown): readonly (readonly [string, string])[] {
  const members = Array.isArray(value) ? { items: value } : (value as object); // bodies are lists or objects
  return Object.entries(members).flatMap(([name, member]) => {
    const all: readonly unknown[] = Array.isArray(member) && member.length > 0 ? member : [member];
    return all.filter((one) => one !== null && one !== undefined).map((one) => [name, textOf(one)] as const);
  });
}

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : `${value}`;

/** The input with another value at `query.page_size`, `body.items.0.name`, `body`; `undefined` leaves the member out. */
export const withValueAt = (input: LooseInput, at: string, value: unknown): LooseInput =>
  putAt(input, at.split("."), () => value) as LooseInput; // a part of an input was replaced

/** The value with a part of it changed, which may not be there; `undefined` takes a member out. */
export function putAt(
  whole: unknown,
  [name, ...rest]: readonly string[],
  change: (old: unknown) => unknown,
): unknown {
  if (name === undefined) return change(whole);
  if (Array.isArray(whole)) {
    return whole.map((one, index) => (`${index}` === name ? putAt(one, rest, change) : one));
  }
  const members = new Map(typeof whole === "object" && whole !== null ? Object.entries(whole) : []);
  members.set(name, putAt(members.get(name), rest, change));
  return Object.fromEntries([...members].filter(([, value]) => value !== undefined));
}
