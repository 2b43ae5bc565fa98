import type { RepositorySelection } from "./installation-client.ts";

/** What the clients of one installation in several processes know together. */
export interface SharedInstallation {
  readonly pace: WritePace;
  readonly token: SharedValue<string>;
  readonly coverage: SharedValue<RepositorySelection>;
}

interface WriteStart {
  /** False: another write has the next start; ask again then. */
  readonly isReserved: boolean;
  readonly inMs: number;
}

export interface WritePace {
  /**
   * Reserves a start at least `spacingMs` milliseconds after every other one. The start of an urgent write (a check) may be in the
   * future; another one is reserved only when it is free now, so that no check waits behind comments of another process. Rejects when
   * nobody can say.
   */
  reserve(spacingMs: number, isUrgent: boolean): Promise<WriteStart>;
  /** Tells the other processes that GitHub limits the installation for `ms` milliseconds; never rejects. */
  savePause(ms: number): Promise<void>;
  /** `listener` receives what `reserve` or another process says of a limit: how long it lasts, in milliseconds. */
  onPause(listener: (ms: number) => void): void;
}

/** A value that one process requests from GitHub, and that the others use. */
export interface SharedValue<T> {
  /**
   * Returns a value that a process requested after the installation's last change, and how old it is, in milliseconds; null: there is
   * none. A value that is then read from GitHub is saved with `askedAt`. Rejects when the database does not answer.
   */
  find(): Promise<{ readonly value: T | null; readonly ageMs: number; readonly askedAt: Date }>;
  /** Never rejects: without it, the next process requests it from GitHub. */
  save(value: T, askedAt: Date): Promise<void>;
}
