import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { CheckRun } from "../../src/sandbox/state/checks.ts";
import { type ExpectedPull, LIMIT, type Traffic } from "./traffic.ts";

export interface Judgement {
  /** One line per contradiction between GitHub's state and what the traffic demands; empty: none. */
  readonly problems: readonly string[];
  readonly open: number;
  readonly heads: number;
  readonly checks: number;
  readonly comments: number;
}

/** Compares what GitHub shows with what the traffic demands; it knows nothing of Tollgate but the words of design and documentation. */
export function judge({ github, appId }: { github: Sandbox; appId: number }, traffic: Traffic): Judgement {
  const problems: string[] = [];
  let checks = 0;
  let comments = 0;
  let heads = 0;
  for (const pull of traffic.pulls) {
    const own = github.comments(pull).filter((comment) => comment.appId === appId);
    const perHead = pull.heads.map((sha) => github.checkRuns({ repository: pull.repository, sha, appId }));
    heads += pull.heads.length;
    checks += perHead.flat().length;
    comments += own.length;
    const found = [
      ...perHead.flatMap((runs, at) =>
        runs.length > 1
          ? [
              `${runs.length} checks on head ${at + 1} of ${pull.heads.length}: ${runs.map(describeRun).join("; ")}`,
            ]
          : [],
      ),
      ...(own.length > 1 ? [`${own.length} comments`] : []),
      ...(pull.isOpen ? findWrongState(pull, { run: perHead.at(-1)?.[0], body: own[0]?.body }) : []),
    ];
    problems.push(...found.map((problem) => `${pull.repository}#${pull.number}: ${problem}`));
  }
  return { problems, open: traffic.pulls.filter(({ isOpen }) => isOpen).length, heads, checks, comments };
}

function findWrongState(
  { increase, heads }: ExpectedPull,
  shown: { run: { status: string; conclusion: string | null } | undefined; body: string | undefined },
): readonly string[] {
  const demanded = increase === null ? "in_progress" : increase > LIMIT ? "failure" : "success";
  const check = shown.run === undefined ? "no check" : (shown.run.conclusion ?? shown.run.status);
  const wrongCheck =
    check === demanded
      ? []
      : [`head ${heads.length} with an increase of ${increase} shows ${check}, expected ${demanded}`];
  if (increase === null) return wrongCheck;
  const amount = `$${increase}.00`;
  if (shown.body === undefined) return [...wrongCheck, "no comment"];
  return shown.body.includes(amount) ? wrongCheck : [...wrongCheck, `the comment does not say ${amount}`];
}

const describeRun = ({ status, conclusion, startedAt, externalId, output }: CheckRun): string =>
  [
    conclusion ?? status,
    new Date(startedAt).toISOString(),
    externalId?.slice(0, 8),
    output.title,
    status === "in_progress" ? output.summary : "",
  ].join(" ");
