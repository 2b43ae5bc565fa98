import { parseArgs } from "node:util";
import { TollgateError } from "../kernel/errors.ts";
import type { Given, OperandSpec, OptionSpec } from "./command.ts";
import { suggestion } from "./did-you-mean.ts";

type Options = Readonly<Record<string, OptionSpec>>;

/** Reads a command's arguments. Throws `usage` that says what is wrong with them and what was meant. */
export function readArguments(command: string, spec: Spec, args: readonly string[]): Given {
  const { options } = spec;
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  for (const token of tokensOf(options, args)) {
    const refused = token.kind === "option" ? takeOption(values, options, token) : null;
    if (refused !== null) throw wrong(command, refused);
    if (token.kind === "positional") operands.push(token.value);
  }
  const problem = operandProblem(operands, spec) ?? missingIn(values, options);
  if (problem !== null) throw wrong(command, problem);
  return given(values, operands[0] ?? null);
}

function operandProblem(operands: readonly string[], { options, operand }: Spec): string | null {
  const extra = operands.at(operand === undefined ? 0 : 1);
  if (extra !== undefined) return unexpected(extra, options);
  return operand?.required === true && operands.length === 0 ? `${operand.value} is missing.` : null;
}

function missingIn(values: ReadonlyMap<string, unknown>, options: Options): string | null {
  const missing = Object.entries(options).find(
    ([name, { required }]) => required === true && !values.has(name),
  );
  return missing === undefined ? null : `--${missing[0]} ${missing[1].value} is missing.`;
}

interface Spec {
  readonly options: Options;
  readonly operand?: OperandSpec;
}

/** Adds an option to the values; returns what is wrong with it, null for nothing. */
function takeOption(values: Map<string, string[]>, options: Options, token: OptionToken): string | null {
  const { name, rawName } = token;
  const spec = options[name];
  if (spec === undefined) return unknownOption(rawName, options);
  const taken = taking(token, spec);
  if ("problem" in taken) return taken.problem;
  const earlier = values.get(name) ?? [];
  const repeats = earlier.length > 0 && spec.multiple !== true && spec.value !== undefined;
  values.set(name, [...earlier, taken.value]);
  return repeats ? `${rawName} is given twice.` : null;
}

/** `usage`, with the way to the command's help. */
export function wrong(command: string, problem: string): TollgateError {
  return new TollgateError("usage", problem, { hint: `Run \`tollgate ${command} --help\` for its options.` });
}

function tokensOf(options: Options, args: readonly string[]) {
  const types = Object.entries(options).map(
    ([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  const config = {
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  };
  return parseArgs({ ...config, tokens: true }).tokens;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function taking(
  { rawName, value, inlineValue }: OptionToken,
  spec: OptionSpec,
): { value: string } | { problem: string } {
  if (spec.value === undefined && value === undefined) return { value: spec.choices?.[0] ?? "" };
  if (spec.value === undefined && spec.choices === undefined)
    return { problem: `${rawName} takes no value.` };
  const swallowed = inlineValue !== true && value !== "-" && value?.startsWith("-") === true;
  if (value === undefined || value === "" || swallowed)
    return { problem: `${rawName} needs a value: ${rawName} ${spec.value}.` };
  if (spec.choices === undefined || spec.choices.includes(value)) return { value };
  const choices = spec.choices.join(", ");
  return { problem: `${rawName} ${value} is none of ${choices}.${suggestion(value, spec.choices)}` };
}

function unknownOption(rawName: string, options: Options): string {
  return `There is no option ${rawName}.${suggestion(rawName.replace(/^-+/, ""), Object.keys(options), "--")}`;
}

function unexpected(value: string, options: Options): string {
  const taking = Object.entries(options).filter(([, { value: kind }]) => kind === "FILE");
  const names = taking.map(([name]) => `--${name}`).join(" or ");
  const way = names === "" ? "" : ` Name each file with ${names}.`;
  return `${JSON.stringify(value)} was not expected.${way}`;
}

function given(values: ReadonlyMap<string, readonly string[]>, operand: string | null): Given {
  const value = (option: string) => values.get(option)?.at(-1) ?? null;
  return {
    value,
    required: (option) => value(option) ?? undeclared(option),
    all: (option) => values.get(option) ?? [],
    has: (option) => values.has(option),
    operand: () => operand,
  };
}

function undeclared(option: string): never {
  throw new TollgateError("internal", `the option ${option} is not declared as required`);
}
