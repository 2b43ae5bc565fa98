import type { Clock } from "../../kernel/clock.ts";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { isSameSecret } from "../same-secret.ts";

export interface SetupAccessOptions {
  /** Returns a new unguessable text. */
  readonly createSecret: () => string;
  readonly clock: Clock;
  /** Shows the operator a new code after a used code was entered again. */
  readonly announce: (code: string) => void;
}

/** `session`: the browser's cookie. `spent`: the code was used before; a new one is announced. */
export type CodeExchange =
  | { readonly state: "opened"; readonly session: string }
  | { readonly state: "spent" | "wrong" | "too_often" };

/** Wrong codes per minute that get an explanation. A code is unguessable, so a right one is accepted after any number of wrong ones. */
const WRONG_PER_MINUTE = 10;

/** Grants access to the setup pages to browsers with the code from the operator's terminal. Each code works once. */
export class SetupAccess {
  readonly #options: SetupAccessOptions;
  readonly #session: string;
  readonly #isWithinRate: (bearer: string) => boolean;
  #code: string;
  #isAnnounced = true;
  #spent: string | null = null;

  constructor(options: SetupAccessOptions) {
    this.#options = options;
    this.#session = options.createSecret();
    this.#code = options.createSecret();
    this.#isWithinRate = createBearerLimiter(options.clock, WRONG_PER_MINUTE);
  }

  /** The next valid code. */
  get code(): string {
    return this.#code;
  }

  hasAccess(session: string): boolean {
    return isSameSecret(session, this.#session);
  }

  exchange(code: string): CodeExchange {
    if (isSameSecret(code, this.#code)) {
      this.#spent = this.#code;
      this.#code = this.#options.createSecret();
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
