import { createHmac } from "node:crypto";
import { createCredentialRedactor } from "../../kernel/redact-credentials.ts";
import { MASK } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { WebhookSettings } from "../area/webhook-settings.ts";
import type { Row } from "../tables/tables.ts";
import type { HookParentKey } from "../tables/webhooks.ts";
import { openSecret, readHeaders } from "./headers.ts";

type HookRow = Row<"platform_hooks">;

/** The operator's settings with a definite identity. */
type DeliverySettings = WebhookSettings & { readonly identity: string };

/** A request in two forms: the one that is sent, and the one that may be shown. */
export interface HookRequest {
  readonly url: string;
  readonly insecure: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** One `Name: value` per line, masked. */
  readonly redactedHeaders: string;
  readonly body: string;
  /** Removes this request's secrets from an answer, because a target may quote them. */
  redact(text: string): string;
  /** Characters that the longest of them takes in any form that `redact` knows. */
  readonly longestSecret: number;
  /** Why it cannot be sent; null: it can. */
  readonly error: string | null;
}

interface HookMessage {
  readonly hook: HookRow;
  readonly parentKind: HookParentKey["kind"];
  readonly event: string;
  readonly body: string;
}

/**
 * Creates the request. Custom headers come first, so that Tollgate's override them; then the headers for the
 * receiver, with a signature if there is a secret.
 */
export async function prepareRequest(message: HookMessage, settings: DeliverySettings): Promise<HookRequest> {
  const { hook, body } = message;
  const extra = await readExtraHeaders(hook, settings);
  const secret = await readSecret(hook, settings);
  const lines = new Map<string, HeaderLine>();
  for (const line of [
    ...extra.lines,
    ...buildOwnHeaders(message, settings).map(([name, value]) => ({ name, value, redacted: value })),
    ...signBody(secret, body, settings),
  ])
    lines.set(line.name.toLowerCase(), line);
  const all = [...lines.values()];
  const secrets = [...extra.secrets, ...(secret.state === "found" ? [secret.value] : [])];
  return {
    url: hook.url,
    insecure: hook.insecure,
    headers: Object.fromEntries(all.map(({ name, value }) => [name, value])),
    redactedHeaders: all.map(({ name, redacted }) => `${name}: ${redacted}\n`).join(""),
    body,
    redact: createRedaction(secrets),
    longestSecret: Math.max(0, ...secrets.map((one) => encodeURIComponent(one).length * 2)),
    error: extra.error ?? (secret.state === "missing" ? secret.error : null),
  };
}

interface HeaderLine {
  readonly name: string;
  readonly value: string;
  /** What may be shown of the value. */
  readonly redacted: string;
}

async function readExtraHeaders({ account, headers }: HookRow, { seal }: DeliverySettings) {
  const lines: HeaderLine[] = [];
  const secrets: string[] = [];
  let error: string | null = null;
  for (const { key: name, value, masked } of readHeaders(headers)) {
    const plain = masked ? await openSecret(value, { account, seal }) : value;
    if (plain === null)
      error = `the stored value of the header ${name} cannot be read with this TOLLGATE_KEY`;
    else if (masked) secrets.push(plain);
    lines.push({ name, value: plain ?? "", redacted: masked ? MASK : value });
  }
  return { lines, secrets, error };
}

function signBody(secret: Secret, body: string, { identity }: DeliverySettings): readonly HeaderLine[] {
  if (secret.state !== "found") return [];
  const value = createHmac("sha256", secret.value).update(body).digest("hex");
  return [{ name: `X-${identity}-Signature`, value, redacted: value }];
}

function buildOwnHeaders(
  { hook, parentKind, event }: HookMessage,
  { identity, version }: DeliverySettings,
): readonly (readonly [string, string])[] {
  const prefix = `X-${identity}`;
  const trigger = parentKind === "registry" ? `${prefix}-Artifact-Registry-Trigger` : `${prefix}-Trigger`;
  return [
    ["User-Agent", `${identity}/${version}`],
    ["Content-Type", "application/json"],
    [`${prefix}-Webhook-Parent-Type`, parentKind],
    [`${prefix}-Webhook-Parent-Id`, `${hook.parent_id}`],
    [`${prefix}-Webhook-Uid`, hook.identifier],
    [`${prefix}-Webhook-Identifier`, hook.identifier],
    [trigger, event],
  ];
}

type Secret =
  | { readonly state: "none" }
  | { readonly state: "found"; readonly value: string }
  | { readonly state: "missing"; readonly error: string };

/** Reads the secret that deliveries are signed with. Without it nothing is sent: a webhook with a secret gets no unsigned delivery. */
async function readSecret(hook: HookRow, settings: DeliverySettings): Promise<Secret> {
  if (hook.secret !== null) {
    const value = await openSecret(hook.secret, { account: hook.account, seal: settings.seal });
    if (value !== null) return { state: "found", value };
    return { state: "missing", error: "the stored secret cannot be read with this TOLLGATE_KEY" };
  }
  if (hook.secret_identifier === null || hook.secret_identifier === "") return { state: "none" };
  const value = settings.secrets.get(hook.secret_identifier);
  if (value !== undefined) return { state: "found", value };
  return {
    state: "missing",
    error: `the operator's settings hold no secret ${JSON.stringify(hook.secret_identifier)}`,
  };
}

/** `createCredentialRedactor` leaves short texts alone, as they could be words; here even a short one was declared secret. */
function createRedaction(secrets: readonly string[]): (text: string) => string {
  const long = createCredentialRedactor(secrets);
  const short = secrets.filter((secret) => secret.length >= 3 && secret.length < 8);
  return (text) => short.reduce((left, secret) => left.replaceAll(secret, MASK), long(text));
}
