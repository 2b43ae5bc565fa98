import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import type { Stage } from "../platform-operations/case.ts";
import { putAt } from "../platform-operations/harness-loose.ts";

/** In every text of the other tenant that may say anything. No part of any other text. */
export const MARK = "zqBELONGSTOBqz";
/** What the other tenant's amounts end in; no other number has these digits. */
const DIGITS = "8675309";

/** Whether text of an answer holds anything of the other tenant. */
export const holdsMark = (text: string): boolean => text.includes(MARK) || text.includes(DIGITS);

/** Texts that only say something: whatever names a thing stays, so that both tenants' things have one name. */
const FREE =
  /description|details|message|comment|resourceName|resourceInfo|statusUpdatedBy|ruleYaml|rule_yaml|hash|branch|display|secret|^value$|^old$|^new$|notes?$|resource_name|search$/i;
const AMOUNT = /amount|cost|saving|spend|value$/i;

/** The stage as the other tenant sees it: the same calls and rows, with marks wherever the contract takes them. */
export const marked = (stage: Stage): Stage => ({
  ...stage,
  call: (endpoint, input) => stage.call(endpoint, markedInput(endpoint, input)),
  import: (kind, rows) =>
    stage.import(
      kind,
      rows.map((row) => mark(row, () => true)),
    ),
});

function markedInput<I>(endpoint: Endpoint, input: I): I {
  const { body } = input as LooseInput; // every input has these parts
  const { body: schema } = endpoint;
  if (body === undefined || schema === undefined) return input;
  if (body instanceof Uint8Array) return { ...input, body: markedBytes(body) };
  if (schema === "bytes") return input;
  return { ...input, body: mark(body, (made) => schema.safeParse(made).success) };
}

/** Pages are JSON lists; what is not stays as it is. */
function markedBytes(body: Uint8Array): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(mark(JSON.parse(Buffer.from(body).toString()), () => true)));
  } catch {
    return body;
  }
}

/** Marks one leaf after the other, and keeps each mark that the whole is still accepted with. */
function mark<T>(whole: T, accepts: (made: T) => boolean): T {
  return leavesOf(whole).reduce((made, path) => {
    const next = putAt(made, path, (old) => markedLeaf(old, findName(path))) as T; // of the same shape: one leaf has another value of its type
    return accepts(next) ? next : made;
  }, whole);
}

type Path = readonly string[];

const leavesOf = (value: unknown, at: Path = []): readonly Path[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...at, key]))
    : [at];

/** The name of the member that a leaf is, or is listed in. */
const findName = (path: Path): string => path.findLast((part) => !/^\d+$/.test(part)) ?? "";

function markedLeaf(value: unknown, name: string): unknown {
  if (typeof value === "number" && AMOUNT.test(name)) return Number(`${Math.trunc(value)}.${DIGITS}`);
  if (typeof value !== "string") return value;
  if (/^-?\d+(\.\d+)?$/.test(value) && AMOUNT.test(name)) return `${value.split(".")[0]}.${DIGITS}`;
  return FREE.test(name) ? `${value} ${MARK}` : value;
}
