import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { isScopeName, SCOPE_NAME } from "../../kernel/ids.ts";
import { IN_WORDS } from "../../kernel/issue-words.ts";
import { oneLine } from "../../kernel/terminal-text.ts";
import { EmitBody, EventPayload } from "../../platform/contract/emit.ts";
import { CODE_TRIGGERS } from "../../platform/contract/shapes/webhook-shapes.ts";
import { connectForImport } from "../../wiring/import/client.ts";
import type { ResolveLocalPlatform } from "../../wiring/import/run.ts";
import { type EmittedDeliveries, emit } from "../../wiring/platform/emit.ts";
import { wrong } from "../arguments.ts";
import type { Command, CommandArguments, ExitCode, Output } from "../command.ts";
import { readText } from "../input-file.ts";
import { ADDRESS_OPTIONS, checkAddress, platformOf } from "../platform-address.ts";

const NAME = "platform emit";

/** `tollgate platform emit`: tells webhooks of the embedded platform of an event that happened elsewhere. */
export const platformEmitCommand = (resolveLocal: ResolveLocalPlatform): Command => ({
  options: {
    registry: { value: "REF", about: "where it happened: [ORG/[PROJECT/]]REGISTRY, or a whole registry_ref" },
    repo: { value: "REPO", about: "where it happened: [ORG/[PROJECT/]]REPOSITORY" },
    event: {
      value: "EVENT",
      about: "what happened, e.g. artifact_created",
      required: true,
      choices: [...CODE_TRIGGERS],
    },
    payload: { value: "FILE", about: "members of the payload as JSON; - reads the standard input" },
    ...ADDRESS_OPTIONS,
    json: { about: "print what was queued as JSON" },
  },
  details: [
    "Each enabled webhook that asks for the event gets one delivery, made by the Tollgate that runs, or by the next one that starts.",
    "The payload may hold artifact_info for registries, pull_req, ref, sha, commits and the like for repositories: docs/platform/webhooks.md.",
  ],
  run: (given, output) => runEmit(given, output, resolveLocal),
});

async function runEmit(
  given: CommandArguments,
  output: Output,
  resolveLocal: ResolveLocalPlatform,
): Promise<ExitCode> {
  const place = placeOf(given);
  checkAddress(given, NAME);
  const payload = await payloadOf(given);
  const reachable = await platformOf(given, resolveLocal);
  const client = connectForImport(reachable, { clock: systemClock, random: Math.random, sleep });
  try {
    const body = EmitBody.safeParse(
      {
        event: given.required("event"),
        ...payload,
        ...place(reachable.account),
      },
      IN_WORDS,
    );
    if (!body.success) throw wrong(NAME, body.error.issues[0]?.message ?? "The event cannot be sent.");
    const emitted = await emit(client, body.data);
    for (const line of shown(emitted, given.has("json"))) output.result(line);
    if (emitted.deliveries.length === 0) output.message("note: no enabled webhook asks for this event there");
    return 0;
  } finally {
    await client.close();
    await reachable.close();
  }
}

const shown = (emitted: EmittedDeliveries, json: boolean): readonly string[] =>
  json
    ? [JSON.stringify(emitted)]
    : emitted.deliveries.map((one) =>
        oneLine(`queued delivery ${one.delivery_id} to webhook ${one.webhook_identifier}`),
      );

/** Where it happened, once the account is known. */
function placeOf(given: CommandArguments): (account: string) => Partial<EmitBody> {
  const [registry, repo] = [given.value("registry"), given.value("repo")];
  if ((registry === null) === (repo === null)) throw wrong(NAME, "Give either --registry or --repo.");
  if (registry !== null) {
    if (registry.endsWith("/+")) return () => ({ registry_ref: registry });
    const parts = partsOf("registry", registry);
    return (account) => ({ registry_ref: `${[account, ...parts].join("/")}/+` });
  }
  const parts = partsOf("repo", repo ?? "");
  const repository = parts.pop();
  const [org, project] = parts;
  return () => ({ repository, org, project });
}

function partsOf(option: string, text: string): string[] {
  const parts = text.split("/");
  if (parts.length <= 3 && parts.every(isScopeName)) return parts;
  throw wrong(
    NAME,
    `--${option} ${JSON.stringify(text)}: expected up to three names with / between them, each of ${SCOPE_NAME}`,
  );
}

async function payloadOf(given: CommandArguments): Promise<Pick<EmitBody, "payload">> {
  const file = given.value("payload");
  if (file === null) return {};
  const parsed = EventPayload.safeParse(readJson(file, await readText(file)), IN_WORDS);
  if (parsed.success) return { payload: parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `  ${path.join(".") || "the file"}: ${message}`,
  );
  throw new TollgateError("file_not_recognised", `${file} is no payload:\n${problems.join("\n")}`, {
    hint: "docs/platform/webhooks.md lists the members that a payload may have.",
  });
}

function readJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TollgateError("file_not_recognised", `${file} is not JSON`, {
      hint: "Give a file with one JSON object.",
    });
  }
}
