type End = () => Promise<void> | void;

/** What ends a running Tollgate, in two steps. */
export class Shutdown {
  readonly #draining: End[] = [];
  readonly #closing: End[] = [];

  /** `end` is called first, at the same time as others of its kind: it takes no new work and completes what runs. */
  drains(end: End): void {
    this.#draining.push(end);
  }

  /** `end` is called after all drained, and after what was registered later: nobody uses the part any longer. */
  closes(end: End): void {
    this.#closing.push(end);
  }

  /** A part that fails to drain is closed all the same. */
  readonly stop = async (): Promise<void> => {
    await Promise.allSettled(this.#draining.splice(0).map((end) => end()));
    for (const end of this.#closing.splice(0).reverse()) await end();
  };
}
