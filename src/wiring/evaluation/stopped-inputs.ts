import type { Clock } from "../../kernel/clock.ts";

/** How long an input that exceeded a limit is not tried again, in ms. */
const INPUT_LIFETIME_MS = 10 * 60_000;
/** Most inputs that are stored. */
const MAX_INPUTS = 1_000;

interface StoppedInput {
  readonly owner: string;
  readonly input: string;
  readonly problem: string;
  readonly untilMs: number;
}

/**
 * Inputs that exceeded a limit, by owner: they are not tried again for a while. They are stored in memory
 * only.
 */
export class StoppedInputs {
  readonly #clock: Clock;
  #stopped: readonly StoppedInput[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(owner: string, input: string, problem: string): void {
    const stopped = { owner, input, problem, untilMs: this.#clock.now() + INPUT_LIFETIME_MS };
    this.#stopped = [...this.#stopped.slice(1 - MAX_INPUTS), stopped];
  }

  /** Returns the problem of each input of an owner. */
  listProblems(owner: string): ReadonlyMap<string, string> {
    if (this.#stopped.length === 0) return NONE;
    const nowMs = this.#clock.now();
    this.#stopped = this.#stopped.filter(({ untilMs }) => nowMs < untilMs);
    return new Map(
      this.#stopped.filter((one) => one.owner === owner).map(({ input, problem }) => [input, problem]),
    );
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
