import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

/** Formats a command of the runner's, such as an annotation: one line on standard output. */
export const formatRunnerCommand = (
  command: "error" | "notice" | "add-mask",
  text: string,
  properties: Readonly<Record<string, string>> = {},
): string => {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${[command, named.join(",")].filter((part) => part !== "").join(" ")}::${escapeText(text)}`;
};

const escapeText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Appends outputs of the step to the runner's file. The separator cannot occur in a value. */
export function writeOutputs(file: string, outputs: Readonly<Record<string, string>>): void {
  const end = `end-${randomUUID()}`;
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`);
  appendFileSync(file, lines.join(""));
}
