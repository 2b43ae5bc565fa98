/** What conditions may cost, in steps. */
export interface CostLimits {
  /** For one condition over one report. */
  readonly rule: number;
  /** For all conditions of the policy in force together. */
  readonly file: number;
}

/** A step is one part of an expression that is evaluated once, or the work on so much of a list or a text. */
export const COST_LIMITS: CostLimits = { rule: 10_000_000, file: 30_000_000 };

/** Longest text that a condition may build, in characters. */
export const MAX_TEXT = 1_000_000;

/** Longest list that a condition may build. A much longer one, made at once, ends the process and not just the thread. */
export const MAX_LIST = 1_000_000;

/** A condition needs more than it may. Its message goes to the reader of the finding. */
export class CostExceeded extends Error {
  override readonly name = "CostExceeded";
  readonly code = "condition_too_expensive";
}

/** Counts what conditions cost while they are evaluated, and stops the one that costs too much. */
export class CostMeter {
  readonly #limits: CostLimits;
  /** Spent by the conditions before this one. */
  #before = 0;
  #granted = 0;
  #left = 0;
  #exceeded: CostExceeded | null = null;
  #isFileSpent = false;

  constructor(limits: CostLimits = COST_LIMITS) {
    this.#limits = limits;
  }

  /** Steps that all conditions took so far. */
  get spent(): number {
    return this.#before + this.#granted - Math.max(0, this.#left);
  }

  /** What stopped the condition that was started last; null: nothing. Operators of the language may swallow the error that was thrown. */
  get exceeded(): CostExceeded | null {
    return this.#exceeded;
  }

  /** Whether a condition was stopped for what the others took. */
  get isFileSpent(): boolean {
    return this.#isFileSpent;
  }

  startRule(): void {
    this.#before = this.spent;
    this.#granted = Math.min(this.#limits.rule, this.#limits.file - this.#before);
    this.#left = this.#granted;
    this.#exceeded = null;
  }

  /** Throws `CostExceeded`, and again at every later call until the next condition starts. */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw this.#stop();
  }

  /** Stops the condition for what it would build. */
  refuse(problem: string): never {
    this.#granted -= this.#left; // what is left goes to the other conditions
    this.#left = Number.NEGATIVE_INFINITY;
    this.#exceeded = new CostExceeded(problem);
    throw this.#exceeded;
  }

  #stop(): CostExceeded {
    if (this.#exceeded !== null) return this.#exceeded;
    this.#isFileSpent = this.#granted < this.#limits.rule;
    const problem = this.#isFileSpent ? fileProblem(this.#limits.file) : ruleProblem(this.#limits.rule);
    this.#exceeded = new CostExceeded(problem);
    return this.#exceeded;
  }
}

const ruleProblem = (limit: number): string =>
  `it takes more than ${steps(limit)} steps, the most that one condition may take; put a filter before its inner loop, look at shorter lists, or make several rules of it`;

const fileProblem = (limit: number): string =>
  `the conditions of the policy together take more than ${steps(limit)} steps, the most that they may take; make those with loops cheaper or fewer`;

const steps = (count: number): string => count.toLocaleString("en");
