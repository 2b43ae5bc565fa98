import type { WebhookEvent } from "../../../platform/contract/shapes/webhook-shapes.ts";
import type { HookParentKey } from "../store/tables.ts";

/** What the emitter knows of an event; members as payloads have them. */
export type EventFacts = Readonly<Record<string, unknown>>;

export interface PayloadContext {
  readonly event: WebhookEvent;
  readonly source: HookParentKey;
  /** Number of the source. */
  readonly sourceId: number;
  /** Who caused it, where the facts do not say. */
  readonly principal: EventFacts;
  readonly facts: EventFacts;
}

/** The JSON text that every webhook of the event is sent: what happened, where, by whom, then what else is known. */
export function buildPayload({ event, source, sourceId, principal, facts }: PayloadContext): string {
  const { registry, repo, principal: said, trigger: _, ...others } = facts;
  const place =
    source.kind === "registry"
      ? { registry: { description: "", url: "", ...toMembers(registry), id: sourceId, name: source.name } }
      : { repo: { ...toMembers(repo), ...buildRepositoryIds(source, sourceId) } };
  return JSON.stringify({
    trigger: event,
    ...place,
    principal: { ...principal, ...toMembers(said) },
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
