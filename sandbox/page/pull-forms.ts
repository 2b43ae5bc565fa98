import { html } from "hono/html";
import { z } from "zod";
import { ApiRefusal } from "../api/call.ts";
import { createCheckVerbs } from "../resources/check-runs.ts";
import { createCommentVerbs } from "../resources/comments.ts";
import { listMergeObstacles } from "../resources/merge-rule.ts";
import { createPullVerbs } from "../resources/pull-verbs.ts";
import { createReviewVerbs } from "../resources/reviews.ts";
import type { Account, CheckRun, Permission, SandboxComment, SandboxPull } from "../state/records.ts";
import { buildPullKey, getFullName, getPermission, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import type { Html } from "./layout.ts";
import { personList } from "./person.ts";

const id = z.coerce.number().int();

/** What the forms of a pull request's page send. */
const PullAct = z.discriminatedUnion("do", [
  z.object({
    do: z.literal("comment"),
    body: z.string(),
    as: z.enum(["comment", "approved", "changes_requested"]),
  }),
  z.object({ do: z.literal("edit"), id, body: z.string() }),
  z.object({ do: z.literal("delete"), id }),
  z.object({ do: z.literal("rerun"), id }),
  z.object({ do: z.literal("action"), id, identifier: z.string() }),
  z.object({ do: z.literal("merge"), method: z.enum(["merge", "squash", "rebase"]) }),
  z.object({ do: z.literal("close") }),
  z.object({ do: z.literal("reopen") }),
  z.object({ do: z.literal("push"), label: z.string() }),
]);
type PullAct = z.infer<typeof PullAct>;

/**
 * Does what a form asks for, as the person. Returns where to look afterwards, below the path of the pull request. An ApiRefusal says in a
 * sentence why GitHub would not do it.
 */
export async function actOnPull(
  world: World,
  pull: SandboxPull,
  person: Account | null,
  form: Readonly<Record<string, unknown>>,
): Promise<string> {
  const parsed = PullAct.safeParse(form);
  if (!parsed.success) throw refusal("The form is incomplete.");
  const act = parsed.data;
  // The author pushes, whoever looks on.
  if (act.do === "push") return push(world, pull, act.label);
  if (person === null) throw refusal("Choose who you are first.");
  checkRights(world, pull, person, act.do);
  return perform(world, pull, person, act);
}

const refusal = (sentence: string): ApiRefusal => new ApiRefusal(422, sentence);

const ACCESS: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The access that GitHub asks for. */
const NEEDED: Readonly<Record<Exclude<PullAct["do"], "push">, Permission>> = {
  comment: "read",
  edit: "read",
  delete: "read",
  close: "triage",
  reopen: "triage",
  rerun: "write",
  action: "write",
  merge: "write",
};

function checkRights(
  world: World,
  pull: SandboxPull,
  { id, login }: Account,
  act: keyof typeof NEEDED,
): void {
  const repository = world.repositories.require(pull.repositoryId);
  const has = getPermission(world, repository, id);
  const hasAtLeast = (needed: Permission) => ACCESS.indexOf(has) >= ACCESS.indexOf(needed);
  const name = getFullName(world, repository);
  if (!hasAtLeast("read"))
    throw refusal(`${login} has no access to ${name}: on GitHub this page does not exist for them.`);
  if (pull.locked && act === "comment" && !hasAtLeast("write"))
    throw refusal("The conversation is locked: only people with write access comment.");
  const mayEndOwn = pull.authorId === id && (act === "close" || act === "reopen");
  if (!mayEndOwn && !hasAtLeast(NEEDED[act]))
    throw refusal(`${login} has ${has} access to ${name}; this needs ${NEEDED[act]} access.`);
}

async function push(world: World, pull: SandboxPull, label: string): Promise<string> {
  const prepared = listPushes(world, pull).find((one) => one.label === label);
  if (prepared === undefined)
    throw refusal("It cannot be pushed: it is unknown, or the pull request is closed.");
  await prepared.run();
  return "#merging";
}

function perform(
  world: World,
  pull: SandboxPull,
  { id: personId, login: by }: Account,
  act: Exclude<PullAct, { do: "push" }>,
): string {
  const comments = createCommentVerbs(world);
  const pulls = createPullVerbs(world);
  const checks = createCheckVerbs(world);
  switch (act.do) {
    case "comment": {
      if (act.as === "comment")
        return `#${getCommentAnchor(comments.addComment(pull, { body: act.body, by }))}`;
      if (pull.authorId === personId) throw refusal("On GitHub nobody reviews their own pull request.");
      const spec = { by, state: act.as, body: act.body };
      return `#${getReviewAnchor(createReviewVerbs(world).review(pull, spec))}`;
    }
    case "edit": {
      const { id } = requireOwn(world, personId, act.id);
      return `#${getCommentAnchor(comments.editComment(id, { body: act.body, by }))}`;
    }
    case "delete":
      comments.deleteComment(requireOwn(world, personId, act.id).id, by);
      return "#conversation";
    case "rerun":
      checks.rerequestCheckRun({ checkRunId: requireRun(world, pull, act.id).id, by });
      return formatAskedPath(act.id);
    case "action": {
      const run = requireRun(world, pull, act.id);
      if (!run.actions.some(({ identifier }) => identifier === act.identifier))
        throw refusal("The check no longer has this button.");
      checks.requestCheckAction({ checkRunId: run.id, identifier: act.identifier, by });
      return formatAskedPath(act.id);
    }
    case "merge": {
      const [obstacle] = listMergeObstacles(world, pull);
      if (obstacle !== undefined) throw refusal(`It cannot be merged now: ${obstacle}.`);
      pulls.mergePullRequest(pull, by, act.method);
      return "#merging";
    }
    case "close":
      if (pull.state === "closed") throw refusal("It is closed already.");
      pulls.closePullRequest(pull, by);
      return "#merging";
    case "reopen":
      if (pull.state === "open" || pull.mergedAt !== null) throw refusal("It cannot be reopened.");
      pulls.reopenPullRequest(pull, by);
      return "#merging";
  }
}

/** The checks say that their App was asked: where it finds nothing new, nothing else would be seen. */
const formatAskedPath = (runId: number): string => `/checks?check_run_id=${runId}&asked`;

export const getCommentAnchor = ({ id }: { readonly id: number }): string => `issuecomment-${id}`;
export const getReviewAnchor = ({ id }: { readonly id: number }): string => `pullrequestreview-${id}`;

function requireOwn(world: World, personId: number, commentId: number): SandboxComment {
  const comment = world.comments.get(commentId);
  if (comment?.authorId !== personId) throw refusal("Only its author edits or deletes a comment here.");
  return comment;
}

function requireRun(world: World, pull: SandboxPull, runId: number): CheckRun {
  const run = world.checkRuns.get(runId);
  if (run === null || run.headSha !== pull.headSha || run.repositoryId !== pull.repositoryId)
    throw refusal("The head has no such check any more.");
  return run;
}

const listPushes = (world: World, pull: SandboxPull) =>
  pull.state === "open" ? (world.preparedPushes.get(buildPullKey(pull)) ?? []) : [];

/** Returns the path of a pull request's page, which takes its forms. */
export const formatPullPath = (world: World, { repositoryId, number }: SandboxPull): string =>
  formatRepositoryPath(world, world.repositories.require(repositoryId), "pull", String(number));

const form = (world: World, pull: SandboxPull, act: PullAct["do"], fields: Html): Html =>
  html`<form method="post" action="${formatPullPath(world, pull)}"><input type="hidden" name="do" value="${act}">${fields}</form>`;

const hiddenId = ({ id }: { readonly id: number }): Html =>
  html`<input type="hidden" name="id" value="${id}">`;

/** Renders "Re-run" and the buttons that the App gave its check. */
export const checkButtons = (world: World, pull: SandboxPull, run: CheckRun): Html =>
  html`<div class="buttons">${run.actions.map(({ label, description, identifier }) =>
    form(
      world,
      pull,
      "action",
      html`${hiddenId(run)}<button class="button plain" name="identifier" value="${identifier}" title="${description}">${label}</button>`,
    ),
  )}${form(world, pull, "rerun", html`${hiddenId(run)}<button class="button plain">Re-run</button>`)}</div>`;

/** Renders the buttons that end a pull request, or open it again. */
export function endingForms(world: World, pull: SandboxPull, isBlocked: boolean): Html {
  if (pull.mergedAt !== null) return html``;
  if (pull.state === "closed")
    return html`<div class="buttons">${form(world, pull, "reopen", html`<button class="button plain">Reopen pull request</button>`)}</div>`;
  const method = html`<select name="method" aria-label="How to merge"><option value="merge">with a merge commit</option><option value="squash">squashed</option><option value="rebase">rebased</option></select>`;
  return html`<div class="buttons">${form(world, pull, "merge", html`<button class="button"${isBlocked && html` disabled`}>Merge pull request</button> ${method}`)}
${form(world, pull, "close", html`<button class="button plain">Close pull request</button>`)}</div>`;
}

/** Renders the forms with which the author of a comment changes it. */
export function ownCommentForms(world: World, pull: SandboxPull, comment: SandboxComment): Html {
  const box = html`<textarea id="edit-${comment.id}" name="body" rows="4" aria-label="The comment's text" required>
${comment.body}</textarea>`;
  return html`<details class="own"><summary class="quiet">Edit or delete</summary>
${form(world, pull, "edit", html`${hiddenId(comment)}${box}<button class="button plain">Save</button>`)}
${form(world, pull, "delete", html`${hiddenId(comment)}<button class="button plain">Delete</button>`)}</details>`;
}

export interface RefusedForm {
  readonly sentence: string;
  /** The text that was sent with it. */
  readonly body: string;
}

/** Renders the box for a comment or a review. */
export function commentForm(
  world: World,
  pull: SandboxPull,
  person: Account | null,
  refused: RefusedForm | null,
): Html {
  if (person === null)
    return html`<section class="act" id="write"><h2>Choose who you are, to comment, review or merge</h2>${personList(world, person, formatPullPath(world, pull))}</section>`;
  return html`<section class="act" id="write">
${form(
  world,
  pull,
  "comment",
  html`<h2><label for="comment">Write as ${person.login}</label></h2>
<textarea id="comment" name="body" rows="5" data-draft>
${refused?.body}</textarea>
<div class="buttons"><select name="as" aria-label="What it is"><option value="comment">Comment</option><option value="approved">Review: approve</option><option value="changes_requested">Review: request changes</option></select> <button class="button">Send</button></div>`,
)}</section>`;
}

/** Renders what the author can be let push; nothing on a pull request without prepared pushes. */
export function pushForms(world: World, pull: SandboxPull): Html {
  const all = listPushes(world, pull);
  const { login } = world.accounts.require(pull.authorId);
  return html`<section class="act" id="pushes" data-live>${
    all.length > 0 &&
    html`<h2>What ${login} does next</h2>
${form(
  world,
  pull,
  "push",
  html`<ul class="card rows">${all.map(
    ({ label, description }) =>
      html`<li><span class="grow">${description}</span><button class="button plain" name="label" value="${label}">${label}</button></li>`,
  )}</ul>`,
)}
<p class="quiet">The pipelines plan and estimate again, and report to the platform.</p>`
  }</section>`;
}
