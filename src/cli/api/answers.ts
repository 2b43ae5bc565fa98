import { z } from "zod";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { APIS } from "../../platform/contract/apis.ts";
import type { Endpoint } from "../../platform/contract/endpoint.ts";
import { nothing } from "../../platform/contract/shapes/cost-envelope.ts";
import { getAtPath } from "../../platform/contract/wire/paths.ts";
import { explain } from "../../platform/contract/wire/request-checks.ts";
import type { Output } from "../command.ts";
import { buildBlocks } from "./text/blocks.ts";
import { draw } from "./text/table.ts";

/**
 * The same operation with its answer as it was sent: programs need what the platform wrote, in the contract's names. The second option of the union is only there for the names; the first one takes everything.
 */
export const asSent = (endpoint: Endpoint): Endpoint =>
  endpoint.response === "empty"
    ? endpoint
    : { ...endpoint, response: z.union([z.unknown(), endpoint.response]) };

/** Writes a note when an answer contradicts the contract. The answer is still shown. */
export function noteSurprises({ response }: Endpoint, value: unknown, output: Output): void {
  if (response === "empty") return;
  const read = response.safeParse(value, PARSE_OPTIONS);
  if (read.success) return;
  const problems = explain("answer", read.error).slice(0, 3).map(toOneLine);
  output.message(`note: the answer is not what the contract says: ${problems.join("; ")}`);
}

/** One JSON document. */
export function printJson(value: unknown, output: Output): void {
  output.result(JSON.stringify(value ?? null, null, 2));
}

/** A table or a list of members, as wide as the terminal. */
export function printForPeople(value: unknown, output: Output): void {
  if (value === undefined) {
    output.message("done");
    return;
  }
  const { lines, omittedColumns: leftOut } = draw(buildBlocks(value), output.columns);
  output.result(lines.join("\n"));
  if (leftOut.length > 0)
    output.message(`left out, too wide for this terminal: ${leftOut.join(", ")}; --json prints all`);
}

/** The answer without what every answer of its service is wrapped in, and a list without its counts. */
export function selectContent(endpoint: Endpoint, value: unknown): unknown {
  const items = getItems(endpoint, value);
  if (items !== null) return items;
  const isWrapped = ["cost", "registry"].includes(APIS[endpoint.api].envelope);
  if (!isWrapped) return value;
  const data = getAtPath(value, ["data"]);
  if (data === undefined) return value;
  return isEmptyAnswer(endpoint) ? undefined : data;
}

/** Whether there is never anything in the wrapping. */
const isEmptyAnswer = ({ response }: Endpoint): boolean =>
  response instanceof z.ZodObject && response.shape["data"] === nothing;

/** The list in an answer that comes in pages; null in others. */
export function getItems({ pagination }: Endpoint, value: unknown): readonly unknown[] | null {
  const found = pagination === undefined ? null : getAtPath(value, pagination.items);
  return Array.isArray(found) ? found : null;
}

/** How many items there are in all, as an answer says; null when it does not. */
export function getTotal(
  { pagination }: Endpoint,
  value: unknown,
  headers: Readonly<Record<string, string>>,
): number | null {
  const place = pagination?.total;
  if (place === undefined) return null;
  const found =
    place.in === "body"
      ? getAtPath(value, place.path)
      : place.names.map((name) => headers[name]).find((text) => text !== undefined);
  const total = Number(found ?? Number.NaN);
  return Number.isSafeInteger(total) ? total : null;
}
