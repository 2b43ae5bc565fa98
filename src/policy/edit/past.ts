import type { Report } from "../../report/report.ts";
import type { JudgeContext } from "../context.ts";
import { evaluate } from "../evaluate.ts";
import type { Verdict } from "../finding.ts";
import type { Policy } from "../policy.ts";
import { renamed } from "../scope/stage-names.ts";

/** A pull request as it was last looked at. */
export interface PastPull {
  readonly number: number;
  readonly report: Report;
  readonly context: JudgeContext;
}

/** How pull requests of before would have come out under an edited policy. */
export interface PastOutcomes {
  /** How many were judged again, by both policies, without signatures. */
  readonly compared: number;
  /** Those that would have come out otherwise, by how. */
  readonly changed: readonly {
    readonly from: Verdict["kind"];
    readonly to: Verdict["kind"];
    /** Numbers of the pull requests, the newest first. */
    readonly pulls: readonly number[];
  }[];
}

/** Judges each by both policies: what differs is the edit's doing, and not what else has changed since. */
export function pastUnder(base: Policy, edited: Policy, past: readonly PastPull[]): PastOutcomes {
  const outcomes = past.map((pull) => ({
    number: pull.number,
    from: verdictUnder(base, pull),
    to: verdictUnder(edited, pull),
  }));
  const changed = Map.groupBy(
    outcomes.filter(({ from, to }) => from !== to),
    ({ from, to }) => `${from} ${to}`,
  );
  return {
    compared: outcomes.length,
    changed: [...changed.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ from: first.from, to: first.to, pulls: [first, ...others].map(({ number }) => number) }],
    ),
  };
}

const verdictUnder = (policy: Policy, { report, context }: PastPull): Verdict["kind"] =>
  evaluate(renamed(report, policy.stages), policy, context).kind;
