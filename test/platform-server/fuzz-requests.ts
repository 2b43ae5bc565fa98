import fc from "fast-check";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import type { contract } from "../../src/platform/contract/registry.ts";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import { type LooseRequest, looseRequest } from "../platform-operations/harness-loose.ts";
import { findPublished } from "../platform-operations/published-operations.ts";
import { allowed, broken, hostile } from "./fuzz-values.ts";

/** An endpoint with an input that it answers well, in an account of its own. */
export interface Aim {
  /** Of the endpoint in the contract. */
  readonly name: keyof typeof contract;
  readonly endpoint: Endpoint;
  readonly input: LooseInput;
  readonly account: string;
  readonly key: string;
  readonly dialect: DialectName;
}

/** A request, and the name of the endpoint whose contract its answer must keep; null: of none that is known. */
export interface Shot {
  readonly request: LooseRequest;
  readonly name: string | null;
  /** The connection ends before the body does. */
  readonly cut: boolean;
}

/** What the published document allows to be sent; path parameters stay those of the good input, so that something is found. */
function generated({ endpoint, input }: Aim): fc.Arbitrary<LooseInput> {
  const published = findPublished(endpoint);
  const queries = published.parameters.filter(({ in: place }) => place === "query");
  const members = queries.map(({ name = "", schema = {} }) => [name, allowed(schema)] as const);
  const requiredKeys = queries.flatMap(({ name, required }) =>
    required === true && name !== undefined ? [name] : [],
  );
  const query = fc.record(Object.fromEntries(members), { requiredKeys });
  const body = published.body === undefined ? fc.constant(input.body) : allowed(published.body);
  return fc
    .record({ query, body })
    .map((parts) => ({ ...input, query: { ...input.query, ...parts.query }, body: parts.body }));
}

/** Names that a stranger may try, declared or not. */
const strayQuery = fc.dictionary(
  fc.constantFrom(..."limit page size offset search sort order accountIdentifier __proto__ x".split(" ")),
  hostile,
  { maxKeys: 2 },
);

const inputs = (aim: Aim): fc.Arbitrary<LooseInput> => {
  const { input } = aim;
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(input) },
    { weight: 4, arbitrary: generated(aim) },
    { weight: 5, arbitrary: broken(input).map((made) => (isInput(made) ? made : input)) },
    {
      weight: 2,
      arbitrary: generated(aim)
        .chain((made) => broken(made))
        .map((made) => (isInput(made) ? made : input)),
    },
    { weight: 1, arbitrary: strayQuery.map((query) => ({ ...input, query: { ...input.query, ...query } })) },
  );
};

/** Something was broken, but it still has parts. */
const isInput = (value: unknown): value is LooseInput =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  ["params", "query", "headers"].every((part) => {
    const found = (value as Readonly<Record<string, unknown>>)[part]; // any object has members
    return found === undefined || (typeof found === "object" && found !== null && !Array.isArray(found));
  });

const MEDIA_TYPES = [
  ...["application/json", "application/yaml", "application/octet-stream", "text/plain", ";;;"],
  ...["application/json; charset=utf-16", "application/x-www-form-urlencoded"],
  ...["multipart/form-data", "multipart/form-data; boundary=x"],
];
const rawBody = fc.oneof(
  fc.constantFrom(
    ...["", "{", "null", "[]", "[null]", "0", '"x"', "\ufeff{}", '{"a":"\\u0000"}', "[".repeat(20_000)],
    ...['{"a":1,"a":2}', "a: &x [*x]", "--x\r\n\r\n", "a=1&a=2&%zz"],
  ),
  fc.uint8Array({ maxLength: 64 }),
);

interface Twist {
  readonly mediaType?: string | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly anonymous: boolean;
  readonly cut: boolean;
}

/** Most requests are sent as they are; some are bent once more on their way. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 24, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const twist: fc.Arbitrary<Twist> = fc.record({
  mediaType: rarely(fc.constantFrom(...MEDIA_TYPES)),
  body: rarely(rawBody),
  method: rarely(fc.constantFrom("PUT", "DELETE", "GET", "POST", "PATCH", "OPTIONS", "HEAD")),
  path: rarely(
    fc.constantFrom(..."/ /api /gateway /.. // /%2e%2e /api/orgs /tollgate/v1/none /cf/admin/".split(" ")),
  ),
  anonymous: rarely(fc.constant(true)).map((said) => said ?? false),
  cut: rarely(fc.constant(true)).map((said) => said ?? false),
});

/** Requests to all of the endpoints alike: good ones, nearly good ones and hostile ones. */
export const shots = (aims: readonly Aim[]): fc.Arbitrary<Shot> =>
  fc.oneof(...aims.map((aim) => fc.tuple(inputs(aim), twist).map(([input, bent]) => bend(aim, input, bent))));

function bend(aim: Aim, input: LooseInput, { body: other, method, path, cut, ...twisted }: Twist): Shot {
  const made = looseRequest(aim.endpoint, input, aim);
  const body = other === undefined ? made.body : Buffer.from(other);
  const isCut = cut && body !== null;
  const isKnown = method === undefined && path === undefined && keepsItsPath(aim.endpoint, input);
  const size: Record<string, string> =
    body === null ? {} : { "content-length": `${body.byteLength + (isCut ? 10 : 0)}` };
  const headers = { ...headersOf(made, body, twisted), ...size };
  return {
    request: { method: method ?? made.method, target: path ?? made.target, headers, body },
    name: isKnown ? aim.name : null,
    cut: isCut,
  };
}

function headersOf(
  made: LooseRequest,
  body: Uint8Array | null,
  { mediaType, anonymous }: Pick<Twist, "mediaType" | "anonymous">,
): Record<string, string> {
  const headers = new Map(Object.entries(made.headers).map(([name, value]) => [name, latin1(value)]));
  if (mediaType !== undefined && body !== null) headers.set("content-type", mediaType);
  if (anonymous) headers.delete("x-api-key");
  return Object.fromEntries(headers);
}

/** A header holds no others. */
const latin1 = (value: string): string => value.replace(/[^\x20-\x7e]/g, "?");

/** An empty or dotted segment makes another path of it. */
const keepsItsPath = ({ path, slashes = [] }: Endpoint, { params = {} }: LooseInput): boolean =>
  [...path.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => {
    const value = params[name];
    if (slashes.includes(name)) return false;
    return !["", ".", ".."].includes(typeof value === "object" ? JSON.stringify(value) : `${value}`);
  });
