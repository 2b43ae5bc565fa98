import type { Clock } from "../../kernel/clock.ts";

/** How long an input that was stopped is not tried again, in ms. */
const KEPT_MS = 10 * 60_000;
/** Inputs that are remembered. */
const KEPT = 1_000;

interface Stopped {
  readonly owner: string;
  readonly input: string;
  readonly problem: string;
  readonly untilMs: number;
}

/** What had to be stopped, by its owner: it is not tried again for a while. Nothing of it outlives the process. */
export class StoppedInputs {
  readonly #clock: Clock;
  #stopped: readonly Stopped[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(owner: string, input: string, problem: string): void {
    const stopped = { owner, input, problem, untilMs: this.#clock.now() + KEPT_MS };
    this.#stopped = [...this.#stopped.slice(1 - KEPT), stopped];
  }

  /** The problem of each input of an owner. */
  of(owner: string): ReadonlyMap<string, string> {
    if (this.#stopped.length === 0) return NONE;
    const nowMs = this.#clock.now();
    this.#stopped = this.#stopped.filter(({ untilMs }) => nowMs < untilMs);
    return new Map(
      this.#stopped.filter((one) => one.owner === owner).map(({ input, problem }) => [input, problem]),
    );
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
