import type { EmitBody, ownOperations } from "../../platform/contract/own-operations.ts";
import { ARTIFACT_EVENTS } from "../../platform/contract/shapes/webhook-shapes.ts";
import { has } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Token } from "../../store/tokens.ts";
import type { Area } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import type { Db } from "../tables/tables.ts";
import type { HookParentKey } from "../tables/webhooks.ts";
import { readTriggers } from "./headers.ts";
import { getPrincipalNumber } from "./hooks.ts";
import {
  ensureParent,
  findParentId,
  listSpacesAbove,
  parseCodeParent,
  parseRegistryParent,
} from "./parents.ts";

/** Handlers for events of registries and repositories, which no operation of the documents causes. */
export const emitHandlers: Area<Pick<typeof ownOperations, "emitEvent">> = {
  /** All deliveries are stored before the first is enqueued. */
  emitEvent: async ({ body }, { db, account, token, clock, enqueue }) => {
    const source = parseEmitSource(body, token);
    const { event, payload = {} } = body;
    const deliveries = await transact(db, async (trx) => {
      const sourceId = await ensureParent(trx, source);
      const hooks = await listTriggeredHooks(trx, { source, sourceId, event });
      const text = buildPayload({ event, source, sourceId, token, facts: payload });
      const queued: { delivery_id: number; webhook_id: number; webhook_identifier: string }[] = [];
      for (const { hook_id, identifier } of hooks) {
        const { delivery_id } = await trx
          .insertInto("platform_hook_deliveries")
          .values({ account, hook_id, event, body: text, created_ms: clock.now() })
          .returning("delivery_id")
          .executeTakeFirstOrThrow();
        queued.push({ delivery_id, webhook_id: hook_id, webhook_identifier: identifier });
      }
      return queued;
    });
    for (const { delivery_id: deliveryId } of deliveries)
      await enqueue({ kind: "webhook-delivery", account, deliveryId });
    return { body: { event, deliveries } };
  },
};

function parseEmitSource(body: EmitBody, token: Token): HookParentKey {
  const { event, registry_ref, repository, org, project, payload } = body;
  if (payload?.trigger !== undefined && payload.trigger !== event)
    refuse("bad_request", `body.payload.trigger: is not the event ${event}`);
  if ((registry_ref === undefined) === (repository === undefined))
    refuse("bad_request", "body: give either registry_ref or repository");
  if (registry_ref === undefined)
    return parseCodeParent({ orgIdentifier: org, projectIdentifier: project }, token, repository);
  if (org !== undefined || project !== undefined)
    refuse("bad_request", "body: org and project of a registry are in registry_ref");
  if (!ARTIFACT_EVENTS.some((one) => one === event))
    refuse("bad_request", `body.event: a registry has the events ${ARTIFACT_EVENTS.join(" and ")} only`);
  return parseRegistryParent(registry_ref, token);
}

/** Returns the enabled webhooks that subscribe to an event: of its source, and for a repository also of its spaces. */
async function listTriggeredHooks(
  trx: Db,
  {
    source,
    sourceId,
    event,
  }: {
    readonly source: HookParentKey;
    readonly sourceId: number;
    readonly event: EmitBody["event"];
  },
) {
  const parents = [sourceId];
  for (const space of source.kind === "registry" ? [] : listSpacesAbove(source))
    parents.push(...[await findParentId(trx, space)].filter((id) => id !== null));
  const hooks = await trx
    .selectFrom("platform_hooks")
    .select(["hook_id", "identifier", "triggers"])
    .where(has({ account: source.account, enabled: true }))
    .where("parent_id", "in", parents)
    .orderBy("hook_id")
    .execute();
  return hooks.filter(({ triggers }) => {
    const events = readTriggers(triggers);
    return events.length === 0 || events.includes(event);
  });
}

interface PayloadContext {
  readonly event: EmitBody["event"];
  readonly source: HookParentKey;
  readonly sourceId: number;
  /** The principal that caused the event, where the facts do not state it. */
  readonly token: Token;
  /** The emitter's properties of the event, with the names of payload members. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Returns the JSON text for every webhook of the event: the event, its source, its principal, then the other facts. */
function buildPayload({ event, source, sourceId, token, facts }: PayloadContext): string {
  const { registry, repo, principal, trigger: _, ...others } = facts;
  const { org, project, name } = source;
  const place =
    source.kind === "registry"
      ? { registry: { description: "", url: "", ...toMembers(registry), id: sourceId, name } }
      : {
          repo: {
            ...toMembers(repo),
            id: sourceId,
            path: [org, project, name].filter((part) => part !== "").join("/"),
            identifier: name,
            uid: name,
          },
        };
  const caller = {
    id: getPrincipalNumber(token),
    uid: `token-${token.id}`,
    display_name: `token ${token.id}`,
    email: "",
    type: "serviceaccount",
  };
  return JSON.stringify({
    trigger: event,
    ...place,
    principal: { ...caller, ...toMembers(principal) },
    ...others,
  });
}

const toMembers = (value: unknown): object =>
  typeof value === "object" && value !== null ? { ...value } : {};
