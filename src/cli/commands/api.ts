import type { OpenApiPlatform } from "../../wiring/platform/api.ts";
import { areaNames, checkArea, endpointsOf, findEndpoint, operationRows } from "../api/catalogue.ts";
import { flagsOf } from "../api/flags.ts";
import { apiHelp, areaHelp, operationHelp } from "../api/help.ts";
import { COMMON_OPTIONS, extraOptionsOf, LIST_OPTIONS, optionsOf } from "../api/options.ts";
import { runOperation } from "../api/run-operation.ts";
import { definitions } from "../api/text/paragraphs.ts";
import { readArguments, wrong } from "../arguments.ts";
import type { ExitCode, Output, WordsCommand } from "../command.ts";
import { completeOptions } from "../completion/options.ts";

/** `tollgate api`: every operation of the platform from the shell. `open` finds the platform. */
export const apiCommand = (open: OpenApiPlatform): WordsCommand => ({
  help: (words) => {
    const { area, operation } = split(words);
    if (area === undefined) return apiHelp(COMMON_OPTIONS);
    if (operation === undefined) {
      checkArea(area);
      return areaHelp(area);
    }
    const endpoint = findEndpoint(area, operation);
    return operationHelp(endpoint, flagsOf(endpoint), extraOptionsOf(endpoint));
  },
  complete,
  runWords: async (words, output) => {
    const { area, operation, rest } = split(words);
    if (area === undefined || operation === undefined) return list(area, rest, output);
    return runOperation(findEndpoint(area, operation), { words: rest, open }, output);
  },
});

/** Area and operation come first. */
function split(words: readonly string[]) {
  const names = words.slice(0, 2);
  const first = names.findIndex((word) => word.startsWith("-"));
  const [area, operation] = first === -1 ? names : names.slice(0, first);
  const count = [area, operation].filter((word) => word !== undefined).length;
  return { area, operation, rest: words.slice(count) };
}

function list(area: string | undefined, words: readonly string[], output: Output): ExitCode {
  if (area !== undefined) checkArea(area);
  const given = readArguments("api", { options: LIST_OPTIONS }, words);
  if (area === undefined && !given.has("list")) throw wrong("api", "An area and an operation are missing.");
  const rows = operationRows(area);
  if (given.has("json")) output.result(JSON.stringify(rows, null, 2));
  else output.result(listed(area).join("\n"));
  return 0;
}

const listed = (area: string | undefined): readonly string[] =>
  definitions(
    endpointsOf(area).map((endpoint) => [
      `${endpoint.area} ${endpoint.operation}`,
      `${endpoint.method} ${endpoint.summary}`,
    ]),
  );

function complete(words: readonly string[]): readonly string[] {
  const [first = "", second] = words;
  if (words.length === 1)
    return first.startsWith("-") ? completeOptions(LIST_OPTIONS, words) : [...areaNames(), "--list"];
  if (words.length === 2 && !first.startsWith("-") && second?.startsWith("-") === false)
    return endpointsOf(first).map(({ operation }) => operation);
  const { area, operation, rest } = split(words);
  const endpoint = endpointsOf(area).find((one) => one.operation === operation);
  if (endpoint === undefined) return completeOptions(LIST_OPTIONS, words);
  return completeOptions(optionsOf(endpoint, flagsOf(endpoint)), rest);
}
