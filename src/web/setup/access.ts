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

export type SetupAccess = ReturnType<typeof createSetupAccess>;

/** Grants access to the setup pages to browsers with the code from the operator's terminal. Each code works once. */
export function createSetupAccess({ createSecret, clock, announce }: SetupAccessOptions) {
  const session = createSecret();
  const isWithinRate = createBearerLimiter(clock, WRONG_PER_MINUTE);
  let code = createSecret();
  let spent: string | null = null;
  let isAnnounced = true;
  return {
    getCode: (): string => code,
    hasAccess: (cookie: string): boolean => isSameSecret(cookie, session),
    exchange: (entered: string): CodeExchange => {
      if (isSameSecret(entered, code)) {
        [spent, code, isAnnounced] = [code, createSecret(), false];
        return { state: "opened", session };
      }
      if (spent === null || !isSameSecret(entered, spent))
        return { state: isWithinRate("wrong code") ? "wrong" : "too_often" };
      if (!isAnnounced) announce(code);
      isAnnounced = true;
      return { state: "spent" };
    },
  };
}
