import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { StoriesAnswer, StoriesRequest } from "./search-thread.ts";

/** Threads that play stories; each has its own clock, database and modules. */
export class ThreadPool {
  readonly #threads: readonly Worker[];
  readonly #free: Worker[];
  readonly #waiting: ((thread: Worker) => void)[] = [];

  constructor(threads: number) {
    const start = () => new Worker(new URL("./search-thread.ts", import.meta.url));
    this.#threads = Array.from({ length: threads }, start);
    this.#free = [...this.#threads];
  }

  get size(): number {
    return this.#threads.length;
  }

  /**
   * Plays the stories on the next free thread.
   *
   * @throws what the thread threw, except broken invariants: those are answers
   */
  async play(request: StoriesRequest): Promise<StoriesAnswer> {
    const thread = this.#free.pop() ?? (await new Promise<Worker>((resolve) => this.#waiting.push(resolve)));
    thread.postMessage(request);
    const [answer] = await once(thread, "message");
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(thread);
    else next(thread);
    return answer as StoriesAnswer; // the only message that a thread sends
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}
