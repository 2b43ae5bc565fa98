import type { EmitBody } from "../../platform/contract/emit.ts";
import type { ours } from "../../platform/contract/registry.ts";
import { ARTIFACT_EVENTS } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Token } from "../../store/tokens.ts";
import type { Area } from "../area/area.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { announceEvent } from "./delivery/announce.ts";
import { parseCodeParent, parseRegistryParent } from "./headers.ts";
import type { HookParentKey, WebhookTables } from "./store/tables.ts";

/** Handlers for events of registries and repositories, which no operation of the documents causes. */
export const emitHandlers: Area<Pick<typeof ours, "emitEvent">, WebhookTables> = {
  emitEvent: async ({ body }, context) => {
    const source = parseEmitSource(body, context.token);
    if (isProblem(source)) return source;
    const { event, payload = {} } = body;
    const queued = await announceEvent(context, source, { event, facts: payload });
    const deliveries = queued.map(({ delivery_id, hook }) => ({
      delivery_id,
      webhook_id: hook.hook_id,
      webhook_identifier: hook.identifier,
    }));
    return { body: { event, deliveries } };
  },
};

function parseEmitSource(body: EmitBody, token: Token): HookParentKey | Problem<"bad_request" | "forbidden"> {
  const { event, registry_ref, repository, org, project, payload } = body;
  if (payload?.trigger !== undefined && payload.trigger !== event)
    return createProblem("bad_request", `body.payload.trigger: is not the event ${event}`);
  if ((registry_ref === undefined) === (repository === undefined))
    return createProblem("bad_request", "body: give either registry_ref or repository");
  if (registry_ref === undefined)
    return parseCodeParent({ orgIdentifier: org, projectIdentifier: project }, token, repository);
  if (org !== undefined || project !== undefined)
    return createProblem("bad_request", "body: org and project of a registry are in registry_ref");
  if (!ARTIFACT_EVENTS.some((one) => one === event))
    return createProblem(
      "bad_request",
      `body.event: a registry has the events ${ARTIFACT_EVENTS.join(" and ")} only`,
    );
  return parseRegistryParent(registry_ref, token);
}
