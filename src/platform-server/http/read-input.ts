import { shorten } from "../../kernel/shorten.ts";
import type { ApiName } from "../../platform/contract/apis.ts";
import type { Endpoint, EndpointInput } from "../../platform/contract/endpoint.ts";
import { readRequest } from "../../platform/contract/wire/codec.ts";
import { DIALECTS, type DialectName } from "../../platform/contract/wire/dialect.ts";
import type { FieldError } from "../../platform/contract/wire/request-checks.ts";
import { translateField } from "../../platform/contract/wire/translate.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { hasNul, parseBody, type UnparsedBody } from "./body/parse-body.ts";

/** The parts of a request that has arrived; another thread can receive them. */
export interface RawInput {
  readonly body: UnparsedBody | { readonly value: unknown };
  readonly params: Readonly<Record<string, string>>;
  /** As in the URL, without its question mark. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the names in the answer. */
  readonly dialect: DialectName;
}

/** What a handler is called with. */
export interface ReadInput<Input> {
  readonly input: Input;
}

/** Most problems of a request that one answer lists. */
const MAX_PROBLEMS = 10;

/** Parses and validates a request by its endpoint. The result depends on the arguments only. */
export async function readInput<E extends Endpoint>(
  endpoint: E,
  { body, params, query, headers, dialect }: RawInput,
): Promise<ReadInput<EndpointInput<E>> | Problem<"bad_request">> {
  const parsed = await parseInputBody(endpoint, body);
  if (isProblem(parsed)) return parsed;
  const parameters = new URLSearchParams(query);
  if (hasNul(params) || hasNul([...parameters.values()]))
    return createProblem("bad_request", "a parameter holds the character U+0000");
  const checked = readRequest(endpoint, { params, query: parameters, headers, body: parsed.value });
  return checked.ok ? { input: checked.value } : createUnreadableProblem(checked, dialect);
}

async function parseInputBody(
  { body: schema }: Pick<Endpoint, "body">,
  body: RawInput["body"],
): Promise<{ readonly value: unknown } | Problem<"bad_request">> {
  if ("value" in body) return body;
  return schema === undefined || schema === "bytes" ? { value: body.bytes } : parseBody(body, schema);
}

function createUnreadableProblem(
  found: { readonly problems: readonly string[]; readonly fields: readonly FieldError[] },
  dialect: DialectName,
): Problem<"bad_request"> {
  const firstProblems = found.problems.slice(0, MAX_PROBLEMS).map((text) => shorten(text, 300));
  const rest = found.problems.length - firstProblems.length;
  const fields = found.fields.slice(0, MAX_PROBLEMS).map(({ part, field, error }) => ({
    field: translateField(field === "" ? part : field, DIALECTS[dialect]).slice(0, 300),
    error: shorten(error, 300),
  }));
  const words = rest > 0 ? `${firstProblems.join("; ")}; and ${rest} more` : firstProblems.join("; ");
  return createProblem("bad_request", words, { fields });
}

/** The service of a path, and the path as the contract writes it. */
export interface ServicePath {
  readonly api: ApiName;
  readonly path: string;
}

interface Service {
  readonly api: ApiName;
  readonly at: RegExp;
  /** What stands before the contract's paths; services with a gateway prefix answer below each form of it. */
  readonly prefix: RegExp;
}

// Where each service answers: as the documents write it, and under the gateway paths of the running service.
const SERVICES: readonly Service[] = [
  { api: "cost", at: /^(\/gateway)?\/ccm(\/|$)/, prefix: /^(\/gateway)?\/ccm\/api(?=\/)/ },
  { api: "flags", at: /^\/cf\/admin(\/|$)/, prefix: /^/ },
  { api: "registry", at: /^\/har\/api(\/|$)/, prefix: /^/ },
  { api: "code", at: /^\/code\/api(\/|$)/, prefix: /^/ },
  {
    api: "tollgate",
    at: /^((\/gateway)?\/iacm)?\/tollgate\/v1(\/|$)/,
    prefix: /^((\/gateway)?\/iacm)?(?=\/tollgate)/,
  },
  {
    api: "provisioning",
    at: /^(\/gateway)?\/iacm(\/|$)|^\/api\/orgs(\/|$)/,
    prefix: /^((\/gateway)?\/iacm)?(?=\/)/,
  },
];

/** Finds the service of a path; null: there is none. `pathname` has no query. */
export function findServicePath(pathname: string): ServicePath | null {
  const service = SERVICES.find(({ at }) => at.test(pathname));
  return service === undefined ? null : { api: service.api, path: pathname.replace(service.prefix, "") };
}
