import { COST_LIMITS, type CostLimits } from "../model/context.ts";

/** A condition exceeds a limit. Readers of the finding see its message. */
export class CostExceededError extends Error {
  override readonly name = "CostExceeded";
  readonly code = "condition_too_expensive";
}

/** Counts the steps of conditions during evaluation, and stops a condition that exceeds a limit. */
export class CostMeter {
  readonly #limits: CostLimits;
  /** Steps of the conditions before the current one. */
  #before = 0;
  #granted = 0;
  #left = 0;
  #exceeded: CostExceededError | null = null;
  #isFileSpent = false;

  constructor(limits: CostLimits = COST_LIMITS) {
    this.#limits = limits;
  }

  /** Steps of all conditions so far. */
  get spent(): number {
    return this.#before + this.#granted - Math.max(0, this.#left);
  }

  /**
   * The error that stopped the current or last condition; null: none. Operators of the language may swallow
   * the thrown error.
   */
  get exceeded(): CostExceededError | null {
    return this.#exceeded;
  }

  /** Whether a condition was stopped by the common limit. */
  get isFileSpent(): boolean {
    return this.#isFileSpent;
  }

  startRule(): void {
    this.#before = this.spent;
    this.#granted = Math.min(this.#limits.rule, this.#limits.file - this.#before);
    this.#left = this.#granted;
    this.#exceeded = null;
  }

  /**
   * Adds steps. Throws `CostExceededError` above a limit, and on every later call until the next condition starts.
   */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw this.#stop();
  }

  /** Stops the condition because of the size of a value that it would build. */
  refuse(problem: string): never {
    this.#granted -= this.#left; // the other conditions get the remaining steps
    this.#left = Number.NEGATIVE_INFINITY;
    this.#exceeded = new CostExceededError(problem);
    throw this.#exceeded;
  }

  #stop(): CostExceededError {
    if (this.#exceeded !== null) return this.#exceeded;
    this.#isFileSpent = this.#granted < this.#limits.rule;
    const problem = this.#isFileSpent
      ? describeFileExcess(this.#limits.file)
      : describeRuleExcess(this.#limits.rule);
    this.#exceeded = new CostExceededError(problem);
    return this.#exceeded;
  }
}

const describeRuleExcess = (limit: number): string =>
  `it takes more than ${formatSteps(limit)} steps, the most that one condition may take; put a filter before its inner loop, look at shorter lists, or make several rules of it`;

const describeFileExcess = (limit: number): string =>
  `the conditions of the policy together take more than ${formatSteps(limit)} steps, the most that they may take; make those with loops cheaper or fewer`;

const formatSteps = (count: number): string => count.toLocaleString("en");
