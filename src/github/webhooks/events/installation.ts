import { z } from "zod";
import { InstallationEvent } from "../payload/lane-event.ts";
import { createReducer, Id, ignored, Label, laneEvent, type ReducedDelivery } from "../payload/payload.ts";

const Account = z.object({ id: Id, login: Label.optional(), slug: Label.optional() });
const Selection = InstallationEvent.shape.selection.unwrap();
const Repositories = z.array(z.object({ id: Id })).default([]);

const MAX_IDS = 20;

function buildInstallationEvent(
  action: InstallationEvent["action"],
  of: InstallationFields,
): ReducedDelivery {
  const { account, selection, repositories } = of;
  const repositoryIds =
    repositories === null || repositories.length > MAX_IDS ? null : repositories.map(({ id }) => id);
  return laneEvent({
    kind: "installation",
    action,
    installationId: of.id,
    accountId: account?.id ?? null,
    account: account?.login ?? account?.slug ?? null,
    selection,
    repositoryIds,
  });
}

interface InstallationFields {
  readonly id: number;
  readonly account: z.infer<typeof Account> | null;
  readonly selection: InstallationEvent["selection"];
  readonly repositories: readonly { id: number }[] | null;
}

/** The other actions are those of other events. */
const Action = InstallationEvent.shape.action.exclude([
  "repositories_added",
  "repositories_removed",
  "renamed",
]);
const Installation = z.object({
  action: z.string(),
  installation: z.object({ id: Id, account: Account.nullable(), repository_selection: Selection }),
  repositories: Repositories,
});

export const installation = createReducer(Installation, (payload) => {
  const action = Action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { id, account, repository_selection: selection } = payload.installation;
  return buildInstallationEvent(action.data, { id, account, selection, repositories: payload.repositories });
});

const InstallationRepositories = z.object({
  action: z.enum(["added", "removed"]),
  installation: z.object({ id: Id, account: Account.nullable() }),
  repository_selection: Selection,
  repositories_added: Repositories,
  repositories_removed: Repositories,
});

export const installationRepositories = createReducer(InstallationRepositories, (payload) => {
  const { id, account } = payload.installation;
  const added = payload.action === "added";
  const repositories = added ? payload.repositories_added : payload.repositories_removed;
  const of = { id, account, selection: payload.repository_selection, repositories };
  return buildInstallationEvent(added ? "repositories_added" : "repositories_removed", of);
});

const InstallationTarget = z.object({
  action: z.string(),
  installation: z.object({ id: Id }),
  account: Account,
});

/** The account was renamed. */
export const installationTarget = createReducer(InstallationTarget, (payload) => {
  if (payload.action !== "renamed") return ignored("action");
  const { installation: target, account } = payload;
  return buildInstallationEvent("renamed", { id: target.id, account, selection: null, repositories: null });
});
