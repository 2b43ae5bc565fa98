/** When the next write may start. */
export interface WriteStart {
  /** False: another write has the next start; ask again then. */
  readonly isReserved: boolean;
  /** Until the start, in milliseconds. */
  readonly inMs: number;
}

/** What the clients of one installation in several processes agree on about writes. */
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

/** What the clients of one installation in several processes know together. */
export interface SharedInstallation extends WritePace {
  /** Returns another value after each change of the installation that any process learned of. Rejects when nobody can say. */
  readVersion(): Promise<number | null>;
}
