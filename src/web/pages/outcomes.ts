import type { PullOutcome } from "../../store/history/pull-history.ts";
import type { RepositoryOutcome } from "../../store/history/rule-outcomes.ts";
import type { InstalledRepository } from "../../store/installations.ts";
import type { Label } from "../page/html.ts";

export const OUTCOME_LABELS: Readonly<Record<PullOutcome, Label>> = {
  block: { text: "Blocked", icon: "x-circle-fill", tone: "danger" },
  approval: { text: "Needs approval", icon: "person", tone: "attention" },
  undecided: { text: "Undecided", icon: "question", tone: "attention" },
  pending: { text: "In progress", icon: "clock", tone: "accent" },
  warn: { text: "Passed with warnings", icon: "alert", tone: "attention" },
  pass: { text: "Passed", icon: "check-circle-fill", tone: "success" },
  none: { text: "No check", icon: "skip", tone: "muted" },
};

/** A repository with the number of its open pull requests, in all and by outcome. */
export interface RepositoryCounts extends InstalledRepository {
  readonly open: number;
  readonly pulls: Readonly<Partial<Record<PullOutcome, number>>>;
  /** Number of those that wait for a person: blocked, undecided, or without an approval. */
  readonly waiting: number;
}

/** Outcomes in which a pull request waits for a person. */
export const WAITING = ["block", "approval", "undecided"] as const satisfies readonly PullOutcome[];

/** Joins repositories with their counts: where most waits first, then by name. */
export function rankRepositories(
  repositories: readonly InstalledRepository[],
  outcomes: readonly RepositoryOutcome[],
): readonly RepositoryCounts[] {
  const byRepository = Map.groupBy(outcomes, ({ repositoryId }) => repositoryId);
  const counted = repositories.map((repository): RepositoryCounts => {
    const own = byRepository.get(repository.repositoryId) ?? [];
    const pulls: Partial<Record<PullOutcome, number>> = Object.fromEntries(
      own.map((one) => [one.outcome, one.pulls]),
    );
    const waiting = WAITING.reduce((total, outcome) => total + (pulls[outcome] ?? 0), 0);
    return { ...repository, pulls, waiting, open: own.reduce((total, one) => total + one.pulls, 0) };
  });
  return counted.toSorted((a, b) => b.waiting - a.waiting);
}
