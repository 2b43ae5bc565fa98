import { TollgateError } from "../../kernel/errors.ts";
import type { Endpoint, LooseInput } from "../../platform/contract/endpoint.ts";
import type { ApiPlatform, OpenApiPlatform } from "../../wiring/platform/api.ts";
import { readArguments } from "../arguments.ts";
import type { ExitCode, Output } from "../command.ts";
import { asSent, contentOf, itemsOf, noteSurprises, printForPeople, printJson, totalOf } from "./answers.ts";
import { tellFailure } from "./failure.ts";
import { flagsOf } from "./flags.ts";
import { readInput } from "./input.ts";
import { addressOf, optionsOf } from "./options.ts";

/** Calls one operation as the options say, and prints its answer. Throws `usage` when they are wrong. */
export async function runOperation(
  endpoint: Endpoint,
  { words, open }: { readonly words: readonly string[]; readonly open: OpenApiPlatform },
  output: Output,
): Promise<ExitCode> {
  const command = `api ${endpoint.area} ${endpoint.operation}`;
  const flags = flagsOf(endpoint);
  const given = readArguments(command, { options: optionsOf(endpoint, flags) }, words);
  const address = addressOf(command, given);
  const input = await readInput(endpoint, flags, given);
  const platform = await open(address);
  try {
    const call: OperationCall = { endpoint, input, platform, json: given.has("json") };
    return given.has("all") ? await callAll(call, output) : await callOnce(call, output);
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
  if (!outcome.ok) return tellFailure(endpoint, outcome.failure, output);
  const { value, headers } = outcome;
  noteSurprises(endpoint, value, output);
  if (json) printJson(value, output);
  else printForPeople(contentOf(endpoint, value), output);
  const shown = itemsOf(endpoint, value)?.length ?? 0;
  const total = totalOf(endpoint, value, headers);
  if (total !== null && total > shown) output.message(`${shown} of ${total} items; --all reads all pages`);
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
    return tellFailure(endpoint, item.failure, output);
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
