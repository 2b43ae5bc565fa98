import { html } from "hono/html";
import { selectNewestRuns } from "../resources/check-runs.ts";
import { listRequiredChecks } from "../resources/merge-rule.ts";
import { selectNewestStatuses } from "../resources/statuses.ts";
import type { CheckRun, SandboxPull, Status } from "../state/records.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import { formatRepositoryPath, readWebAddress } from "./addresses.ts";
import { type Html, ICON } from "./layout.ts";
import { count } from "./repository-frame.ts";

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

/** Returns the newest of each name on a pull request's head, required ones first, with those that nothing reported yet. */
export function checkLines(world: World, pull: SandboxPull): readonly CheckLine[] {
  const at = { repositoryId: pull.repositoryId, sha: pull.headSha };
  const names = listRequiredChecks(world, pull).map((check) => check.context);
  const repository = world.repositories.require(pull.repositoryId);
  const checks = formatRepositoryPath(world, repository, "pull", String(pull.number), "checks");
  const reported = commitCheckLines(world, at, names).map((line) =>
    line.run === null ? line : { ...line, link: `${checks}?check_run_id=${line.run.id}` },
  );
  const missing = names.filter((name) => !reported.some((line) => line.name === name)).map(expected);
  return [...missing, ...reported].toSorted((a, b) => Number(b.required) - Number(a.required));
}

/** Returns the newest check or status of each name on a commit. */
export const commitCheckLines = (
  world: World,
  at: { repositoryId: number; sha: string },
  required: readonly string[] = [],
): readonly CheckLine[] => [
  ...selectNewestRuns(world.checkRuns.group(buildCommitKey(at))).map((run) => runLine(world, run, required)),
  ...selectNewestStatuses(world, at).map((status) => statusLine(world, status, required)),
];

/** Renders the checks with a link to what each says. */
export const checkRows = (lines: readonly CheckLine[]): Html =>
  html`<ul class="checks">${lines.map(checkRow)}</ul>`;

/** Renders the states of a commit's checks, one sign each. */
export const checkMarks = (lines: readonly CheckLine[]): Html =>
  html`<span class="marks">${lines.map((line) => ICON[line.state])}</span>`;

/** "3 checks: 1 failed, 2 passed" */
export function summarizeChecks(lines: readonly CheckLine[]): string {
  const countIn = (...states: readonly CheckLine["state"][]) =>
    lines.filter((line) => states.includes(line.state)).length;
  const parts = [
    [countIn("failure"), "failed"],
    [countIn("attention"), "needing action"],
    [countIn("running", "waiting"), "not finished"],
    [countIn("success"), "passed"],
    [countIn("neutral", "skipped"), "neutral or skipped"],
  ] as const;
  const counted = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${count(lines.length, "check")}: ${counted.join(", ")}`;
}

const checkRow = (line: CheckLine): Html =>
  html`<li>${ICON[line.state]}<span class="check-name"><b>${line.name}</b> <span class="quiet">${line.words}</span></span>${line.required && html`<span class="tag">Required</span>`}${line.link !== null && html`<a href="${line.link}">Details</a>`}</li>`;

/** Returns a check run as a line. */
export function runLine(world: World, run: CheckRun, required: readonly string[] = []): CheckLine {
  const state = run.status === "completed" ? (run.conclusion ?? "neutral") : run.status;
  return {
    name: run.name,
    from: world.apps.require(run.appId).name,
    state: RUN_STATE[state] ?? "failure",
    words: run.output.title ?? state.replaceAll("_", " "),
    link: formatRunPath(world, run),
    required: required.includes(run.name),
    run,
  };
}

const statusLine = (world: World, status: Status, required: readonly string[]): CheckLine => ({
  name: status.context,
  from: world.accounts.require(status.creatorId).login,
  state: STATUS_STATE[status.state],
  words: status.description ?? status.state,
  link: readWebAddress(status.targetUrl),
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

/** Returns the path of a check run's page. */
const formatRunPath = (world: World, { repositoryId, id }: CheckRun): string =>
  formatRepositoryPath(world, world.repositories.require(repositoryId), "runs", String(id));
