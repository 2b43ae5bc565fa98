import type { Clock } from "../kernel/clock.ts";
import type { Output } from "./command.ts";

/** An import that ends earlier shows no progress, in ms. */
const QUIET_MS = 2_000;

export interface ImportProgress {
  /** Takes the number of pages of a file that were sent. */
  readonly onPage: (pages: number) => void;
  end(): void;
}

/** Shows how far a long import is, to a person at a terminal. */
export function startProgress({ progress }: Output, what: string, clock: Clock): ImportProgress {
  const startedMs = clock.monotonicMs();
  let isShown = false;
  return {
    onPage: (pages) => {
      const ms = clock.monotonicMs() - startedMs;
      if (progress === undefined || ms < QUIET_MS) return;
      isShown = true;
      progress(`sending ${what}: ${pages} ${pages === 1 ? "page" : "pages"}, ${Math.floor(ms / 1000)} s`);
    },
    end: () => {
      if (isShown) progress?.(null);
    },
  };
}
