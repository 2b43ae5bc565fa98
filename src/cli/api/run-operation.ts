import type { OptionValues } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import type { Endpoint, LooseInput } from "../../platform/contract/endpoint.ts";
import { readClientSettings } from "../../settings/client.ts";
import { readEnvironment } from "../../settings/read.ts";
import type { ApiFailure, ApiPlatform, OpenApiPlatform } from "../../wiring/platform/api.ts";
import type { ExitCode, Output } from "../command.ts";
import { resolveAddress } from "../platform-address.ts";
import {
  asSent,
  getItems,
  getTotal,
  noteSurprises,
  printForPeople,
  printJson,
  selectContent,
} from "./answers.ts";
import { listFlags } from "./flags.ts";
import { readInput } from "./input.ts";

/** The options of every operation, and those of its parameters, its body and its pages. */
export interface OperationOptions extends OptionValues {
  readonly json?: true | undefined;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly account?: string | undefined;
  readonly dialect?: "neutral" | "live" | undefined;
}

/** Calls one operation as the options say, and prints its answer. Throws `usage` when they are wrong. */
export async function runOperation(
  endpoint: Endpoint,
  options: OperationOptions,
  open: OpenApiPlatform,
  output: Output,
): Promise<ExitCode> {
  const { url = null, token = null } = resolveAddress(options, readClientSettings(readEnvironment()));
  const { account = null, dialect = null } = options;
  const input = await readInput(endpoint, listFlags(endpoint), options);
  const platform = await open({ url, token, account, dialect });
  try {
    const call: OperationCall = { endpoint, input, platform, json: options.json === true };
    return options["all"] === true ? await callAll(call, output) : await callOnce(call, output);
  } finally {
    await platform.close();
  }
}

interface OperationCall {
  readonly endpoint: Endpoint;
  readonly input: LooseInput;
  readonly platform: ApiPlatform;
  readonly json: boolean;
}

async function callOnce(
  { endpoint, input, platform, json }: OperationCall,
  output: Output,
): Promise<ExitCode> {
  const outcome = await platform.call(asSent(endpoint), input);
  if (!outcome.ok) return printFailure(endpoint, outcome.failure, output);
  const { value, headers } = outcome;
  noteSurprises(endpoint, value, output);
  if (json) printJson(value, output);
  else printForPeople(selectContent(endpoint, value), output);
  const count = getItems(endpoint, value)?.length ?? 0;
  const total = getTotal(endpoint, value, headers);
  if (total !== null && total > count) output.message(`${count} of ${total} items; --all reads all pages`);
  return 0;
}

async function callAll(
  { endpoint, input, platform, json }: OperationCall,
  output: Output,
): Promise<ExitCode> {
  const { pagination } = endpoint;
  // `--all` is an option of lists only
  if (pagination === undefined) throw new TollgateError("internal", `${endpoint.operation} is no list`);
  const list = json ? jsonList(output) : tableList(output);
  for await (const item of platform.items({ ...asSent(endpoint), pagination }, input)) {
    if (item.ok) {
      list.add(item.value);
      continue;
    }
    if (list.count() > 0)
      output.message(
        `the list is not complete: it ended after ${list.count()} ${list.count() === 1 ? "item" : "items"}`,
      );
    return printFailure(endpoint, item.failure, output);
  }
  list.end();
  return 0;
}

/** Takes the items of a list one after the other. */
interface GrowingList {
  add(item: unknown): void;
  count(): number;
  end(): void;
}

/**
 * Items leave one by one, so that a list of any length takes little memory. When a page fails the list is not closed: a
 * program does not take half of it for the whole.
 */
function jsonList(output: Output): GrowingList {
  let count = 0;
  return {
    add: (item) => {
      output.result(`${count === 0 ? "[" : ","}${JSON.stringify(item)}`);
      count += 1;
    },
    count: () => count,
    end: () => output.result(count === 0 ? "[]" : "]"),
  };
}

/** A table's columns are as wide as its widest cells, so it is drawn at the end. */
function tableList(output: Output): GrowingList {
  const items: unknown[] = [];
  return {
    add: (item) => items.push(item),
    count: () => items.length,
    end: () => printForPeople(items, output),
  };
}

/** Prints why a call had no answer, and the way out. */
function printFailure(endpoint: Endpoint, failure: ApiFailure, output: Output): ExitCode {
  const { message, code, correlationId } = failure;
  const names = [code === null ? "" : `code ${code}`, correlationId === null ? "" : `call ${correlationId}`];
  const known = names.filter((name) => name !== "").join(", ");
  output.message(known === "" ? message : `${message} (${known})`);
  output.message(wayOut(endpoint, failure));
  return getFailureExitCode(failure);
}

/** 1: the platform refused; 2: the call was not made, because it breaks the contract; 3: there was no usable answer. */
export function getFailureExitCode({ kind, status }: ApiFailure): ExitCode {
  if (kind === "rejected") return status === null ? 2 : 1;
  return kind === "unauthorised" || kind === "forbidden" || kind === "not_found" ? 1 : 3;
}

function wayOut({ area, operation }: Endpoint, { kind, retryAfterMs }: ApiFailure): string {
  if (kind === "rate_limited" && retryAfterMs !== null)
    return `Wait ${Math.ceil(retryAfterMs / 1000)} s and run it again.`;
  return WAYS_OUT[kind](`tollgate api ${area} ${operation}`);
}

const WAYS_OUT: Readonly<Record<ApiFailure["kind"], (command: string) => string>> = {
  not_found: () => "Check the ids; what belongs to another account is not found either.",
  unauthorised: () =>
    "Set TOLLGATE_TOKEN to a token that is valid there: `tollgate token create --for api` makes one for the embedded platform.",
  forbidden: () => "Check --account, org and project; a token for one project opens no other.",
  rate_limited: () => "Wait a minute and run it again.",
  unavailable: () => "Run it again later; if it stays so, check that the platform runs at this address.",
  timed_out: () =>
    "Run it again later; a write may have succeeded nevertheless, so check before you repeat it.",
  malformed: () => "Check the address, the prefix (PLATFORM_PREFIX) and the dialect (--dialect).",
  too_large: () => "Ask for fewer items at once.",
  rejected: (command) => `Run \`${command} --help\` for what it takes.`,
};
