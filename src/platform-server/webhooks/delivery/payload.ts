import type { WebhookEvent } from "../../../platform/contract/shapes/webhook-shapes.ts";
import type { HookParentKey } from "../store/tables.ts";

/** The emitter's properties of an event, with the names of payload members. */
export type EventFacts = Readonly<Record<string, unknown>>;

export interface PayloadContext {
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
