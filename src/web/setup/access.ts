import type { Clock } from "../../kernel/clock.ts";
import { bearerRates } from "../bearer-rates.ts";
import { isSameSecret } from "../same-secret.ts";

export interface SetupAccessOptions {
  /** A new text that nobody can guess. */
  readonly newSecret: () => string;
  readonly clock: Clock;
  /** Shows the operator another code, when somebody brings a used one. */
  readonly announce: (code: string) => void;
}

/** `session` is what the browser keeps. `spent`: this code was used before; a new one is announced. */
export type CodeExchange =
  | { readonly state: "opened"; readonly session: string }
  | { readonly state: "spent" | "wrong" | "too_often" };

/** Wrong codes per minute that are told so. A code cannot be guessed, so a right one is taken however many wrong ones came before. */
const WRONG_PER_MINUTE = 10;

/** Opens the setup pages to browsers that bring the code from the operator's terminal. Each code opens them once. */
export class SetupAccess {
  readonly #options: SetupAccessOptions;
  readonly #session: string;
  readonly #isWithinRate: (bearer: string) => boolean;
  #code: string;
  #isAnnounced = true;
  #spent: string | null = null;

  constructor(options: SetupAccessOptions) {
    this.#options = options;
    this.#session = options.newSecret();
    this.#code = options.newSecret();
    this.#isWithinRate = bearerRates(options.clock, WRONG_PER_MINUTE);
  }

  /** The code that opens the pages the next time. */
  get code(): string {
    return this.#code;
  }

  isOpenTo(session: string): boolean {
    return isSameSecret(session, this.#session);
  }

  exchange(code: string): CodeExchange {
    if (isSameSecret(code, this.#code)) {
      this.#spent = this.#code;
      this.#code = this.#options.newSecret();
      this.#isAnnounced = false;
      return { state: "opened", session: this.#session };
    }
    if (this.#spent !== null && isSameSecret(code, this.#spent)) {
      if (!this.#isAnnounced) this.#options.announce(this.#code);
      this.#isAnnounced = true;
      return { state: "spent" };
    }
    return { state: this.#isWithinRate("wrong code") ? "wrong" : "too_often" };
  }
}
