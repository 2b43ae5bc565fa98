import { type Decimal, parseDecimal } from "../../kernel/money.ts";

/**
 * Matches a decimal with an exponent, as in JSON numbers and some tools' amounts: sign, digits, decimals,
 * exponent.
 */
const SCIENTIFIC = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Matches a number that a double may not represent exactly. */
const LONG_NUMBER = /(?<=^|[[:,\s])-?\d(?:[\d.]{15,}|[\d.]*[eE])/;

/** Parses a decimal number exactly, also with an exponent or a plus sign; null: it is not a number. */
export function readDecimal(text: string): Decimal | null {
  const plain = parseDecimal(text);
  if (plain !== null) return plain;
  const match = SCIENTIFIC.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", decimals = "", exponent = "0"] = match;
  const point = whole.length + Number(exponent);
  const digits = "0".repeat(Math.max(0, 1 - point)) + whole + decimals;
  const split = Math.max(1, point);
  const front = digits
    .slice(0, split)
    .padEnd(split, "0")
    .replace(/^0+(?=\d)/, "");
  const back = digits.slice(split);
  return parseDecimal(`${sign === "-" ? "-" : ""}${front}${back === "" ? "" : `.${back}`}`);
}

/** Parses JSON. A number that a double does not represent exactly becomes its text. */
export function parseExactly(json: string): unknown {
  return LONG_NUMBER.test(json) ? JSON.parse(json, reviveExactNumber) : JSON.parse(json);
}

function reviveExactNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return readDecimal(String(value)) === readDecimal(context.source) ? value : context.source;
}
