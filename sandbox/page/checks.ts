import { html } from "hono/html";
import { selectNewestStatuses } from "../formatters/status.ts";
import { listRequiredChecks } from "../rules/merge-rule.ts";
import type { CheckRun, Status } from "../state/checks.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import { ICON } from "./icons.ts";
import type { Html } from "./layout.ts";

/** A check or status of the head, or a required one without a report yet. */
export interface CheckLine {
  readonly name: string;
  readonly from: string;
  readonly state: keyof typeof ICON;
  readonly words: string;
  readonly link: string | null;
  readonly required: boolean;
  readonly run: CheckRun | null;
}

const RUN_STATE: Readonly<Record<string, keyof typeof ICON>> = {
  success: "success",
  neutral: "neutral",
  skipped: "skipped",
  action_required: "attention",
  in_progress: "running",
  queued: "waiting",
};

const STATUS_STATE = {
  success: "success",
  pending: "waiting",
  failure: "failure",
  error: "failure",
} as const;

/** Returns the newest of each name, required ones first. */
export function checkLines(world: World, pull: SandboxPull): readonly CheckLine[] {
  const at = { repositoryId: pull.repositoryId, sha: pull.headSha };
  const names = listRequiredChecks(world, pull).map((check) => check.context);
  const runs = new Map(
    world.checkRuns.group(buildCommitKey(at)).map((run) => [`${run.appId}:${run.name}`, run]),
  );
  const reported = [
    ...[...runs.values()].map((run) => runLine(world, run, names)),
    ...selectNewestStatuses(world, at).map((status) => statusLine(world, status, names)),
  ];
  const missing = names.filter((name) => !reported.some((line) => line.name === name)).map(expected);
  return [...missing, ...reported].toSorted((a, b) => Number(b.required) - Number(a.required));
}

export const checkRow = (line: CheckLine): Html =>
  html`<li>${ICON[line.state]}<span class="check-name"><b>${line.name}</b> <span class="quiet">${line.words}</span></span>${line.required && html`<span class="tag">Required</span>`}${line.link !== null && html`<a href="${line.link}">Details</a>`}</li>`;

function runLine(world: World, run: CheckRun, required: readonly string[]): CheckLine {
  const state = run.status === "completed" ? (run.conclusion ?? "neutral") : run.status;
  return {
    name: run.name,
    from: world.apps.require(run.appId).name,
    state: RUN_STATE[state] ?? "failure",
    words: run.output.title ?? state.replaceAll("_", " "),
    link: `#check-${run.id}`,
    required: required.includes(run.name),
    run,
  };
}

const statusLine = (world: World, status: Status, required: readonly string[]): CheckLine => ({
  name: status.context,
  from: world.accounts.require(status.creatorId).login,
  state: STATUS_STATE[status.state],
  words: status.description ?? status.state,
  link: status.targetUrl,
  required: required.includes(status.context),
  run: null,
});

const expected = (name: string): CheckLine => ({
  name,
  from: "",
  state: "waiting",
  words: "Expected: waiting for it to be reported",
  link: null,
  required: true,
  run: null,
});
