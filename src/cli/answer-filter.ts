import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { TollgateError } from "../kernel/errors.ts";
import { suggestChoice } from "../kernel/suggest.ts";
import type { Output } from "./command.ts";

/** The parts of a command's JSON that a person asked for, as in `gh`. */
interface AnswerParts {
  /** Members of the answer, or of each item of a list; null: all. */
  readonly fields: readonly string[] | null;
  /** A jq expression; null: none. */
  readonly expression: string | null;
}

/**
 * Gives a command with `--json` the options that filter its answer: `--jq EXPRESSION`, and names of members behind `--json`
 * where the command takes no argument that could be mistaken for them.
 */
export function addAnswerOptions(command: CommandUnknownOpts): void {
  const json = command.options.find(({ long }) => long === "--json");
  if (json === undefined || command.commands.length > 0) return;
  if (command.registeredArguments.length === 0) {
    json.flags = "--json [FIELDS]";
    json.optional = true;
    json.description += "; with FIELDS (a,b) only these members";
  }
  command.option("--jq <EXPRESSION>", "filter the JSON with a jq expression");
}

/** An output that keeps a command's results until its answer is complete, and then prints the parts that were asked for. */
export class AnswerFilter {
  readonly output: Output;
  readonly #target: Output;
  #parts: AnswerParts | null = null;
  #results: string[] = [];

  constructor(target: Output) {
    this.#target = target;
    this.output = {
      ...target,
      result: (text) => {
        if (this.#parts === null) target.result(text);
        else this.#results.push(text);
      },
    };
  }

  /** Reads the options of the command that is about to run. */
  begin(command: CommandUnknownOpts): void {
    if (command.options.every(({ long }) => long !== "--jq")) return;
    const { json, jq } = command.opts() as { json?: unknown; jq?: unknown }; // both are options of every such command
    const fields = typeof json === "string" ? json.split(",").map((name) => name.trim()) : null;
    const expression = typeof jq === "string" ? jq : null;
    if (fields === null && expression === null) return;
    command.setOptionValue("json", true);
    this.#parts = { fields, expression };
  }

  /**
   * Prints what the command answered; nothing when it printed no whole JSON document, because a message has said why.
   *
   * @throws TollgateError `usage` for an unknown member or a wrong expression
   */
  async end(): Promise<void> {
    const answer = this.#parts === null ? null : parseDocument(this.#results.join("\n"));
    if (this.#parts === null || answer === null) return;
    const { fields, expression } = this.#parts;
    const selected = fields === null ? answer.value : selectFields(answer.value, fields);
    const text = expression === null ? JSON.stringify(selected, null, 2) : await runJq(selected, expression);
    if (text !== "") this.#target.result(text);
  }
}

function parseDocument(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function selectFields(value: unknown, fields: readonly string[]): unknown {
  const items = (Array.isArray(value) ? value : [value]).filter(isObject);
  const known = [...new Set(items.flatMap((item) => Object.keys(item)))];
  for (const field of items.length === 0 ? [] : fields)
    if (!known.includes(field)) throw createFieldError(field, known);
  const select = (item: unknown) =>
    isObject(item) ? Object.fromEntries(fields.map((field) => [field, item[field] ?? null])) : item;
  return Array.isArray(value) ? value.map(select) : select(value);
}

function createFieldError(field: string, known: readonly string[]): TollgateError {
  const close = suggestChoice(field, known);
  return new TollgateError(
    "usage",
    `--json: the answer has no member ${JSON.stringify(field)}${close === null ? "" : `; did you mean ${close}?`}`,
    {
      hint: `It has ${known.join(", ")}.`,
    },
  );
}

/** As `gh`: texts as they are, other values as compact JSON, a line each. */
async function runJq(value: unknown, expression: string): Promise<string> {
  const { default: jq } = await import("jq-wasm"); // 1.3 MB, for those who filter
  try {
    return await jq.raw(JSON.stringify(value), expression, ["-r", "-c"]);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    const found = reason.replace(/^jq: error: /, "").replace(/ at <top-level>.*$/, "");
    throw new TollgateError("usage", `--jq ${JSON.stringify(expression)}: ${found}`, {
      hint: "The manual of jq describes its expressions: https://jqlang.org/manual/",
      cause: error,
    });
  }
}
