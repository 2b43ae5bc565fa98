import { existsSync, readFileSync } from "node:fs";
import { writePrivateFile } from "../process/private-file.ts";

/** Adds settings to a `.env` file that only this account can read. Existing values are replaced. */
export function saveSettings(path: string, settings: Readonly<Record<string, string>>): void {
  const known = existsSync(path) ? readFileSync(path, "utf8") : "";
  const otherLines = known
    .split("\n")
    .filter((line) => line !== "" && !Object.keys(settings).some((name) => line.startsWith(`${name}=`)));
  const added = Object.entries(settings).map(
    ([name, value]) => `${name}="${value.replaceAll(/\r?\n/g, "\\n")}"`,
  );
  writePrivateFile(path, [...otherLines, ...added, ""].join("\n"));
}
