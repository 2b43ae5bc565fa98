import { createHmac } from "node:crypto";
import { createCredentialRedactor } from "../../../kernel/redact-credentials.ts";
import type { WebhookEvent } from "../../../platform/contract/shapes/webhook-shapes.ts";
import { MASK } from "../../../platform/contract/shapes/webhook-shapes.ts";
import type { DeliverySettings } from "../../outbound/webhook-settings.ts";
import { readHeaders } from "../headers.ts";
import type { HookRow } from "../store/hooks.ts";
import type { HookParentKey, HookParentKind } from "../store/tables.ts";

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
}

export type HookPreparation =
  | { readonly state: "ready"; readonly request: HookRequest }
  | { readonly state: "unsendable"; readonly error: string; readonly request: HookRequest };

export interface HookMessage {
  readonly hook: HookRow;
  readonly parentKind: HookParentKind;
  readonly event: string;
  readonly body: string;
}

/**
 * Creates the request. Custom headers come first, so that Tollgate's override them; then the headers for the
 * receiver, with a signature if there is a secret.
 */
export function prepareRequest(message: HookMessage, settings: DeliverySettings): HookPreparation {
  const { hook, body } = message;
  const extra = readExtraHeaders(hook, settings);
  const secret = readSecret(hook, settings);
  const lines = new Map<string, HeaderLine>();
  for (const line of [
    ...extra.lines,
    ...buildOwnHeaders(message, settings).map(([name, value]) => ({ name, value, redacted: value })),
    ...signBody(secret, body, settings),
  ])
    lines.set(line.name.toLowerCase(), line);
  const all = [...lines.values()];
  const secrets = [...extra.secrets, ...(secret.state === "found" ? [secret.value] : [])];
  const request: HookRequest = {
    url: hook.url,
    insecure: hook.insecure,
    headers: Object.fromEntries(all.map(({ name, value }) => [name, value])),
    redactedHeaders: all.map(({ name, redacted }) => `${name}: ${redacted}\n`).join(""),
    body,
    redact: createRedaction(secrets),
    longestSecret: Math.max(0, ...secrets.map((one) => encodeURIComponent(one).length * 2)),
  };
  const error = extra.error ?? (secret.state === "missing" ? secret.error : null);
  return error === null ? { state: "ready", request } : { state: "unsendable", error, request };
}

interface HeaderLine {
  readonly name: string;
  readonly value: string;
  /** What may be shown of the value. */
  readonly redacted: string;
}

function readExtraHeaders(hook: HookRow, settings: DeliverySettings) {
  const lines: HeaderLine[] = [];
  const secrets: string[] = [];
  let error: string | null = null;
  for (const { key: name, value, masked } of readHeaders(hook.headers)) {
    const plain = masked ? openSealed(hook, value, settings) : value;
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

const openSealed = ({ account }: HookRow, sealed: string, { box }: DeliverySettings): string | null =>
  box?.open(account, sealed) ?? null;

type Secret =
  | { readonly state: "none" }
  | { readonly state: "found"; readonly value: string }
  | { readonly state: "missing"; readonly error: string };

/** Reads the secret that deliveries are signed with. Without it nothing is sent: a webhook with a secret gets no unsigned delivery. */
function readSecret(hook: HookRow, settings: DeliverySettings): Secret {
  if (hook.secret !== null) {
    const value = openSealed(hook, hook.secret, settings);
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

/** `createHider` leaves short texts alone, as they could be words; here even a short one was declared secret. */
function createRedaction(secrets: readonly string[]): (text: string) => string {
  const long = createCredentialRedactor(secrets);
  const short = secrets.filter((secret) => secret.length >= 3 && secret.length < 8);
  return (text) => short.reduce((left, secret) => left.replaceAll(secret, MASK), long(text));
}

/** The emitter's properties of an event, with the names of payload members. */
export type EventFacts = Readonly<Record<string, unknown>>;

interface PayloadContext {
  readonly event: WebhookEvent;
  readonly source: HookParentKey;
  /** Numeric id of the source. */
  readonly sourceId: number;
  /** The principal that caused the event, where the facts do not state it. */
  readonly principal: EventFacts;
  readonly facts: EventFacts;
}

/**
 * Returns the JSON text for every webhook of the event: the event, its source, its principal, then the other
 * facts.
 */
export function buildPayload({ event, source, sourceId, principal, facts }: PayloadContext): string {
  const { registry, repo, principal: principalFacts, trigger: _, ...others } = facts;
  const place =
    source.kind === "registry"
      ? { registry: { description: "", url: "", ...toMembers(registry), id: sourceId, name: source.name } }
      : { repo: { ...toMembers(repo), ...buildRepositoryIds(source, sourceId) } };
  return JSON.stringify({
    trigger: event,
    ...place,
    principal: { ...principal, ...toMembers(principalFacts) },
    ...others,
  });
}

const buildRepositoryIds = ({ org, project, name }: HookParentKey, id: number) => ({
  id,
  path: [org, project, name].filter((part) => part !== "").join("/"),
  identifier: name,
  uid: name,
});

const toMembers = (value: unknown): EventFacts =>
  typeof value === "object" && value !== null ? { ...value } : {};
