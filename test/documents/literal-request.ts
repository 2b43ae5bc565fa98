import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPlatformClient } from "../../src/platform/client.ts";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import type { PlatformResult } from "../../src/platform/errors.ts";
import type { LiveStage } from "../platform-operations/harness.ts";
import { type Documented, parametersIn } from "./documented-operation.ts";

/** A request made of a document's names alone. */
export interface LiteralRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** The document's request with the values of `input`: what the document does not name is left out, unless it is among `needed`. */
export function literalRequest(
  documented: Documented,
  input: LooseInput,
  {
    account,
    key,
    needed,
  }: { readonly account: string; readonly key: string; readonly needed: readonly string[] },
): LiteralRequest {
  const [method = "", path = ""] = documented.at.split(" ");
  const names = [...parametersIn(documented.query).map(({ name }) => name), ...needed];
  const values = { ...input.query, accountIdentifier: account };
  const query = queryOf(names.map((name) => [name, values[name as keyof typeof values]])).toString();
  const body = bodyOf(documented, input.body);
  const type = documented.body === "bytes" ? "application/octet-stream" : "application/json";
  return {
    method,
    target: filled(path, input) + (query === "" ? "" : `?${query}`),
    headers: {
      "x-api-key": key,
      ...(documented.header === undefined ? {} : { [documented.header]: account }),
      ...(body === null ? {} : { "content-type": type, "content-length": `${body.byteLength}` }),
    },
    body,
  };
}

function queryOf(values: readonly (readonly [string, unknown])[]): URLSearchParams {
  const pairs = values.flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, `${one}`]),
  );
  return new URLSearchParams(pairs.filter(([, text]) => text !== "undefined"));
}

function bodyOf({ body }: Documented, given: unknown): Uint8Array | null {
  if (given === undefined || given instanceof Uint8Array) return given ?? null;
  const sent = body === undefined || body === "bytes" ? given : onlyNamed(given, body.example);
  return Buffer.from(JSON.stringify(sent));
}

/** The document's path with the values of `input`; a registry's reference keeps its slashes and its plus sign. */
export const filled = (path: string, { params }: LooseInput): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(`${params?.[name]}`).replaceAll("%2F", "/").replaceAll("%2B", "+"),
  );

const onlyNamed = (value: unknown, example: unknown): unknown =>
  isObject(value) && isObject(example)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name in example))
    : value;

/** Members of the document's answer that an answer lacks, or has in another type; those that it may lack are `optional`. */
export function lackingIn(
  where: string,
  answer: unknown,
  { example, optional }: { readonly example: unknown; readonly optional: readonly string[] },
): readonly string[] {
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return [`${where}: is no list`];
    return [
      ...new Set(answer.flatMap((one) => lackingIn(`${where}[]`, one, { example: example[0], optional }))),
    ];
  }
  if (!isObject(example))
    return answer === null || example === null || typeof answer === typeof example
      ? []
      : [`${where}: is a ${typeof answer}`];
  if (!isObject(answer)) return [`${where}: is no object`];
  const expected =
    "*" in example
      ? Object.keys(answer).map((name) => [name, example["*"]] as const)
      : Object.entries(example);
  return expected.flatMap(([name, one]) => {
    if (name in answer) return lackingIn(`${where}.${name}`, answer[name], { example: one, optional });
    return optional.includes(name) ? [] : [`${where}: lacks ${name}`];
  });
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What our client sends for an operation, and what it makes of the document's own answer. */
export async function sentByClient(
  endpoint: Endpoint,
  input: LooseInput,
  { stage, documented }: { readonly stage: LiveStage; readonly documented: Documented },
): Promise<{ readonly sent: Sent; readonly outcome: PlatformResult<unknown> }> {
  const { answer, status = 200 } = documented;
  const seen: Sent[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    seen.push({
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      headers: request.headers,
    });
    request.resume();
    response.writeHead(answer === undefined ? 404 : status, { "content-type": "application/json" });
    response.end(answer === undefined || answer === null ? "" : JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const client = createPlatformClient({
    url: `http://127.0.0.1:${port}`,
    token: "pat.token",
    account: stage.account,
    dialect: "neutral",
    prefix: "",
    clock: stage.clock,
    random: () => 0,
    sleep: async () => {},
  });
  const outcome = await client.call(endpoint, input);
  await client.close();
  server.close();
  const [sent] = seen;
  if (sent === undefined) throw new Error(`nothing was sent: ${JSON.stringify(outcome)}`);
  return { sent, outcome };
}
