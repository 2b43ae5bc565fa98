import { Option } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import { isScopeName, SCOPE_NAME } from "../../kernel/ids.ts";
import { parseJson } from "../../kernel/parse-json.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { EmitBody, EventPayload } from "../../platform/contract/own-operations.ts";
import { CODE_TRIGGERS } from "../../platform/contract/shapes/webhook-shapes.ts";
import { readClientSettings } from "../../settings/ci.ts";
import { readEnvironment } from "../../settings/read.ts";
import { withPlatform } from "../../wiring/import/send-files.ts";
import { type EmittedDeliveries, sendEvent } from "../../wiring/platform/api.ts";
import { resolveLocalPlatform } from "../../wiring/platform/local.ts";
import { type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { readText } from "../input-file.ts";
import { createAddressCommand, resolveAddress } from "../platform-address.ts";

/** `tollgate platform emit`: sends an event that happened elsewhere to webhooks of the embedded platform. */
export const platformEmitCommand =
  (resolveLocal = resolveLocalPlatform): MakeCommand =>
  (output) =>
    createCommand().action((options) => runEmit(options, output, resolveLocal));

const createCommand = () =>
  createAddressCommand()
    .option("--registry <REF>", "where it happened: [ORG/[PROJECT/]]REGISTRY, or a whole registry_ref")
    .option("--repo <REPO>", "where it happened: [ORG/[PROJECT/]]REPOSITORY")
    .addOption(new Option("--event <EVENT>", "what happened").choices(CODE_TRIGGERS).makeOptionMandatory())
    .option("--payload <FILE>", "members of the payload as JSON; - reads the standard input")
    .option("--json", "print the queued deliveries as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Each enabled webhook that subscribes to the event gets one delivery. The running Tollgate sends it; where none runs, on the embedded database, the command sends it before it ends.",
        "The payload may have artifact_info for registries, pull_req, ref, sha, commits and others for repositories: docs/platform.md.",
      ),
    );

type EmitOptions = OptionsOf<typeof createCommand>;

async function runEmit(
  options: EmitOptions,
  output: Output,
  resolveLocal: typeof resolveLocalPlatform,
): Promise<void> {
  const place = readHookPlace(options);
  const platform = resolveAddress(options, readClientSettings(readEnvironment()));
  const payload = await readPayload(options.payload);
  const emitted = await withPlatform(platform, resolveLocal, async (client, account) => {
    const body = EmitBody.safeParse({ event: options.event, ...payload, ...place(account) }, PARSE_OPTIONS);
    if (!body.success) throw usageError(body.error.issues[0]?.message ?? "The event cannot be sent.");
    return sendEvent(client, body.data);
  });
  for (const line of shown(emitted, options.json === true)) output.result(line);
  if (emitted.deliveries.length === 0)
    output.message("note: no enabled webhook subscribes to the event there");
}

const shown = (emitted: EmittedDeliveries, json: boolean): readonly string[] =>
  json
    ? [JSON.stringify(emitted)]
    : emitted.deliveries.map((one) =>
        toOneLine(`queued delivery ${one.delivery_id} to webhook ${one.webhook_identifier}`),
      );

/** Where it happened, once the account is known. */
function readHookPlace({ registry, repo }: EmitOptions): (account: string) => Partial<EmitBody> {
  if ((registry === undefined) === (repo === undefined))
    throw usageError("Give either --registry or --repo.");
  if (registry !== undefined) {
    if (registry.endsWith("/+")) return () => ({ registry_ref: registry });
    const parts = splitParts("registry", registry);
    return (account) => ({ registry_ref: `${[account, ...parts].join("/")}/+` });
  }
  const parts = splitParts("repo", repo ?? "");
  const repository = parts.pop();
  const [org, project] = parts;
  return () => ({ repository, org, project });
}

function splitParts(option: string, text: string): string[] {
  const parts = text.split("/");
  if (parts.length <= 3 && parts.every(isScopeName)) return parts;
  throw usageError(
    `--${option} ${JSON.stringify(text)}: expected up to three names with / between them, each of ${SCOPE_NAME}`,
  );
}

async function readPayload(file: string | undefined): Promise<Pick<EmitBody, "payload">> {
  if (file === undefined) return {};
  const parsed = EventPayload.safeParse(readJson(file, await readText(file)), PARSE_OPTIONS);
  if (parsed.success) return { payload: parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `  ${path.join(".") || "the file"}: ${message}`,
  );
  throw new TollgateError("file_not_recognised", `${file} is no payload:\n${problems.join("\n")}`, {
    hint: "docs/platform.md lists the members that a payload may have.",
  });
}

function readJson(file: string, text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw new TollgateError("file_not_recognised", `${file} is not JSON`, {
    hint: "Give a file with one JSON object.",
  });
}
