import { type Clock, systemClock } from "../../kernel/clock.ts";

/** The clock of the demo's GitHub: it shows moments of the past while the history is played, then the real time. */
export class DemoClock implements Clock {
  #past: number | null = null;

  now(): number {
    return this.#past ?? systemClock.now();
  }

  monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  /** Shows this moment, in ms since 1970, from now on. */
  show(ms: number): void {
    this.#past = ms;
  }

  /** Shows the real time from now on. */
  showPresent(): void {
    this.#past = null;
  }
}
