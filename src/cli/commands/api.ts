import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { endpoints } from "../../platform/contract/registry.ts";
import { getEndpointPath } from "../../platform/contract/wire/codec.ts";
import { openApiPlatform } from "../../wiring/platform/api.ts";
import { createOperationCommand } from "../api/operation.ts";
import { type MakeCommand, type Output, usageError } from "../command.ts";
import { definitions, paragraphs } from "../help-text.ts";

/** `tollgate api`: every operation of the platform from the shell, a command for each area. */
export const apiCommand: MakeCommand = (output, [area, operation]) => {
  const api = new Command()
    .usage("AREA OPERATION [options]\n       tollgate api AREA\n       tollgate api --list [--json]")
    .addHelpText(
      "after",
      paragraphs(
        "Without --url an operation calls the platform of the settings (PLATFORM_URL), else the embedded platform of this machine, " +
          "running or not. Exit codes: 0 answered, 1 the platform refused, 2 wrong usage, 3 no usable answer.",
      ),
    );
  api.option("--list", "list every operation with its path").option("--json", "print the list as JSON");
  for (const name of AREAS) api.addCommand(createAreaCommand(name, name === area ? operation : null, output));
  // An action would take an unknown area for an unexpected argument, without a suggestion.
  if (area === undefined) api.action(() => list(api, output));
  return api;
};

const AREAS: readonly string[] = [...new Set(endpoints.map(({ area }) => area))];

const listEndpoints = (area: string | undefined) =>
  endpoints.filter((endpoint) => area === undefined || endpoint.area === area);

/** `typed`: the operation that is called, which alone has its options; null: another area is called. */
function createAreaCommand(
  name: string,
  typed: string | undefined | null,
  output: Output,
): CommandUnknownOpts {
  const all = listEndpoints(name);
  const command = new Command(name).summary(`${all.length} operations`).description("");
  for (const endpoint of all)
    command.addCommand(
      endpoint.operation === typed
        ? createOperationCommand(endpoint, openApiPlatform, output)
        : new Command(endpoint.operation).summary(endpoint.summary),
    );
  command.option("--list", "list its operations with their paths").option("--json", "print the list as JSON");
  if (typed === undefined) command.action(() => list(command, output, name));
  return command;
}

function list(command: CommandUnknownOpts, output: Output, area?: string): void {
  const { list: isWanted, json } = command.opts();
  if (area === undefined && isWanted !== true) throw usageError("An area and an operation are missing.");
  const all = listEndpoints(area);
  if (json === true) output.result(JSON.stringify(all.map(operationRow), null, 2));
  else
    output.result(
      definitions(all.map((one) => [`${one.area} ${one.operation}`, `${one.method} ${one.summary}`])),
    );
}

/** `path` is that of the default dialect, with the documents' `{names}`; `extra`: not in the platform's documents. */
function operationRow(endpoint: (typeof endpoints)[number]) {
  const { area, operation, method, extra } = endpoint;
  const row = { area, operation, method, path: getEndpointPath(endpoint) };
  return extra === true ? { ...row, extra } : row;
}
