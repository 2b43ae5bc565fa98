import type { Life } from "./life.ts";

/** Gives the one connection to the database to one life at a time: transactions of several processes happen one after the other. */
export class ConnectionLock {
  readonly #waiting: { readonly life: Life; readonly take: () => void }[] = [];
  #holder: Life | null = null;

  async acquire(life: Life): Promise<void> {
    if (life.isOver) return new Promise(() => {});
    if (this.#holder !== null)
      await new Promise<void>((resolve) => this.#waiting.push({ life, take: resolve }));
    this.#holder = life;
  }

  /** Gives it to the next that lives. */
  release(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.life.isOver) continue;
      this.#holder = next.life;
      next.take();
      return;
    }
    this.#holder = null;
  }

  isHeldBy(life: Life): boolean {
    return this.#holder === life;
  }
}
