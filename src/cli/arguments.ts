import { parseArgs } from "node:util";
import { TollgateError } from "../kernel/errors.ts";
import type { CommandArguments, OperandSpec, OptionSpec } from "./command.ts";
import { suggestion } from "./did-you-mean.ts";

type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Reads a command's arguments. Throws `usage` that says what is wrong with them and what was meant. */
export function readArguments(command: string, spec: Spec, args: readonly string[]): CommandArguments {
  const { options } = spec;
  const taken: OptionArgument[] = [];
  const operands: string[] = [];
  for (const token of tokensOf(options, args)) {
    const refused = token.kind === "option" ? takeOption(taken, options, token) : null;
    if (refused !== null) throw wrong(command, refused);
    if (token.kind === "positional") operands.push(token.value);
  }
  const problem = operandProblem(operands, spec) ?? missingIn(taken, options);
  if (problem !== null) throw wrong(command, problem);
  return given(taken, operands[0] ?? null);
}

function operandProblem(operands: readonly string[], { options, operand }: Spec): string | null {
  const extra = operands.at(operand === undefined ? 0 : 1);
  if (extra !== undefined) return unexpected(extra, options);
  return operand?.required === true && operands.length === 0 ? `${operand.value} is missing.` : null;
}

function missingIn(taken: readonly OptionArgument[], options: OptionSpecs): string | null {
  const missing = Object.entries(options).find(
    ([name, { required }]) => required === true && !taken.some(({ option }) => option === name),
  );
  return missing === undefined ? null : `--${missing[0]} ${missing[1].value} is missing.`;
}

interface Spec {
  readonly options: OptionSpecs;
  readonly operand?: OperandSpec;
}

/** An option as it was typed. */
interface OptionArgument {
  readonly option: string;
  readonly value: string;
}

/** Adds an option to those that are taken; returns what is wrong with it, null for nothing. */
function takeOption(taken: OptionArgument[], options: OptionSpecs, token: OptionToken): string | null {
  const { name, rawName } = token;
  const spec = options[name];
  if (spec === undefined) return unknownOption(rawName, options);
  const read = valueIn(token, spec);
  if ("problem" in read) return read.problem;
  const isGiven = taken.some(({ option }) => option === name);
  const repeats = isGiven && spec.multiple !== true && spec.value !== undefined;
  taken.push({ option: name, value: read.value });
  return repeats ? `${rawName} is given twice.` : null;
}

/** `usage`, with the way to the command's help. */
export function wrong(command: string, problem: string): TollgateError {
  return new TollgateError("usage", problem, { hint: `Run \`tollgate ${command} --help\` for its options.` });
}

function tokensOf(options: OptionSpecs, args: readonly string[]) {
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

function valueIn(
  { rawName, value, inlineValue }: OptionToken,
  spec: OptionSpec,
): { value: string } | { problem: string } {
  if (spec.value === undefined && value === undefined) return { value: spec.choices?.[0] ?? "" };
  if (spec.value === undefined && spec.choices === undefined)
    return { problem: `${rawName} takes no value.` };
  if (value === undefined || isNoValue(value, inlineValue === true, spec))
    return { problem: `${rawName} needs a value: ${rawName} ${spec.value}.` };
  if (spec.choices === undefined || spec.choices.includes(value)) return { value };
  const choices = spec.choices.join(", ");
  return { problem: `${rawName} ${value} is none of ${choices}.${suggestion(value, spec.choices)}` };
}

/** Nothing, or the next option, in the place of a value. */
const isNoValue = (value: string, isInline: boolean, { mayBeEmpty }: OptionSpec): boolean =>
  value === "" ? mayBeEmpty !== true : !isInline && value !== "-" && value.startsWith("-");

function unknownOption(rawName: string, options: OptionSpecs): string {
  return `There is no option ${rawName}.${suggestion(rawName.replace(/^-+/, ""), Object.keys(options), "--")}`;
}

function unexpected(value: string, options: OptionSpecs): string {
  const taking = Object.entries(options).filter(([, { value: kind }]) => kind === "FILE");
  const names = taking.map(([name]) => `--${name}`).join(" or ");
  const way = names === "" ? "" : ` Name each file with ${names}.`;
  return `${JSON.stringify(value)} was not expected.${way}`;
}

function given(taken: readonly OptionArgument[], operand: string | null): CommandArguments {
  const all = (wanted: string) => taken.filter(({ option }) => option === wanted).map(({ value }) => value);
  const value = (option: string) => all(option).at(-1) ?? null;
  return {
    value,
    required: (option) => value(option) ?? undeclared(option),
    all,
    inOrder: (options) => taken.filter(({ option }) => options.includes(option)),
    has: (option) => all(option).length > 0,
    operand: () => operand,
  };
}

function undeclared(option: string): never {
  throw new TollgateError("internal", `the option ${option} is not declared as required`);
}
