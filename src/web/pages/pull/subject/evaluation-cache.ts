import type { Evaluation } from "../../../../policy/model/evaluation.ts";
import { createLazyObject } from "../../../../report/lazy-object.ts";
import { listChoices, listResourceLines, type ResourceChoices, type ResourceLine } from "./resource-lines.ts";

/** An evaluation as pages read it, with what several views derive of it. */
export interface ReadEvaluation {
  readonly evaluation: Evaluation;
  /** Its resources, and the values by which they can be filtered; made when they are first asked for. */
  readonly resources: readonly ResourceLine[];
  readonly choices: ResourceChoices;
}

interface Entry {
  readonly read: ReadEvaluation;
  /** Approximate number of lines, which is what takes memory. */
  readonly weight: number;
}

/** Lines of all cached evaluations together: about 100 MB. */
const MAX_WEIGHT = 60_000;
/** Weight of an evaluation beside its lines. */
const BASE_WEIGHT = 100;

/**
 * The evaluations that readers looked at last, so that sorting and paging a large one does not read it again. A stored evaluation
 * that changes has another key.
 */
export class EvaluationCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight = MAX_WEIGHT) {
    this.#maxWeight = maxWeight;
  }

  find(key: string): ReadEvaluation | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.read;
  }

  /** Keeps an evaluation, unless it alone is too large, and forgets those that were not read for longest. */
  add(key: string, evaluation: Evaluation): ReadEvaluation {
    const read = createReadEvaluation(evaluation);
    const weight = weigh(evaluation);
    if (weight > this.#maxWeight || this.#entries.has(key)) return read;
    this.#entries.set(key, { read, weight });
    this.#weight += weight;
    for (const [oldest, { weight: freed }] of this.#entries) {
      if (this.#weight <= this.#maxWeight) break;
      this.#entries.delete(oldest);
      this.#weight -= freed;
    }
    return read;
  }
}

function createReadEvaluation(evaluation: Evaluation): ReadEvaluation {
  const read: ReadEvaluation = createLazyObject<ReadEvaluation>({
    evaluation: () => evaluation,
    resources: () => listResourceLines(evaluation),
    choices: () => listChoices(read.resources),
  });
  return read;
}

const weigh = ({ report }: Evaluation): number =>
  BASE_WEIGHT +
  report.resources.length +
  report.rows.length +
  report.modules.length +
  report.stages.reduce((sum, { modules }) => sum + (modules?.length ?? 0), 0);
