import type { Verdict } from "../../../policy/model/finding.ts";
import { findCommitAddress } from "../../../render/sections/addresses.ts";
import { formatDecision } from "../../../store/evaluations.ts";
import { formatPullPath } from "../../page/address.ts";
import type { PageTab } from "../../page/frame.ts";
import type { IconName } from "../../page/html.ts";
import { buildTimeView } from "../../page/times.ts";
import type { FoundPull } from "./find-pull.ts";
import { getDecisionLabel } from "./subject/decision-label.ts";
import {
  createTextSubject,
  linkToView,
  type PullSubject,
  type PullViewName,
} from "./subject/pull-subject.ts";

const TABS: readonly (readonly [PullViewName, string, IconName])[] = [
  ["overview", "Overview", "law"],
  ["resources", "Resources", "table"],
  ["modules", "Modules", "repo"],
  ["rules", "Rules", "shield-check"],
  ["facts", "Facts", "info"],
  ["history", "History", "history"],
];

/** The tabs of a pull request's page; `current` null: a page inside of one. */
export const buildPullTabs = (
  { address }: Pick<PullSubject, "address">,
  current: PullViewName | null,
): readonly PageTab[] =>
  TABS.map(([name, text, icon]) => ({
    text,
    icon,
    href: linkToView(address, name),
    current: name === current,
  }));

/** What GitHub says of the pull request itself. */
export function buildPullState({ pull }: FoundPull) {
  if (pull === null) return null;
  if (pull.merged_at !== null) return { text: "Merged", icon: "git-merge", tone: "done" } as const;
  if (pull.state === "closed")
    return { text: "Closed", icon: "git-pull-request-closed", tone: "danger" } as const;
  if (pull.is_draft === true)
    return { text: "Draft", icon: "git-pull-request-draft", tone: "muted" } as const;
  return { text: "Open", icon: "git-pull-request", tone: "success" } as const;
}

const findVerdict = ({ situation }: PullSubject["evaluation"]): Verdict["kind"] | null =>
  "verdict" in situation ? (situation.verdict?.kind ?? null) : null;

/** The values of the template `pull/head`, which is above every view of an evaluation. */
export function buildHead(subject: PullSubject, found: FoundPull) {
  const { evaluation, repository, number, github, nowMs, texts } = subject;
  const { headSha, baseRef } = evaluation.pull;
  const name = `${repository.owner}/${repository.name}`;
  return {
    title: found.pull?.title ?? `Pull request #${number}`,
    numberText: `#${number}`,
    github: `${github}/${name}/pull/${number}`,
    state: buildPullState(found),
    author: found.pull?.author_login ?? evaluation.context.author,
    decision: getDecisionLabel(formatDecision(evaluation.check), findVerdict(evaluation)),
    verdict: texts.describeVerdict(evaluation),
    commit: { text: headSha.slice(0, 8), href: findCommitAddress(createTextSubject(subject), headSha) },
    base: baseRef,
    evaluated: buildTimeView(found.evaluation.begunAt.getTime(), nowMs),
    past:
      found.evaluation.endedAt === null
        ? null
        : {
            ended: buildTimeView(found.evaluation.endedAt.getTime(), nowMs),
            newest: formatPullPath(name, number),
          },
    isOutdated: found.evaluation.endedAt === null && found.pull !== null && found.pull.head_sha !== headSha,
  };
}
