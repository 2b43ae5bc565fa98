import type { Life } from "./life.ts";
import type { VirtualTime } from "./virtual-time.ts";

/**
 * What goes wrong with one effect. `before`: it did not happen. `after`: it happened, and its answer is lost. `late`: it happens after
 * its answer was given up; only writes of checks and comments.
 */
export type Fault = "before" | "after" | "limit" | "stale" | "late";

interface PendingCall {
  readonly life: Life;
  readonly label: string;
  /** Waits until so many effects have happened, unless nothing else waits. */
  heldUntil: number;
  perform(fault: Fault | null): Promise<void>;
}

/** When the bot crashes: just before or just after one of its next effects. */
interface PlannedCrash {
  left: number;
  readonly moment: "before" | "after";
}

const never = <T>(): Promise<T> => new Promise(() => {});

/** A lost connection to the database, as the driver of PostgreSQL reports it. */
class LostConnection extends Error {
  readonly code = "57P01";
}

/**
 * Decides the order in which the bot's effects happen. Calls of neighbours wait until one of them is chosen; statements of the
 * database happen at once. Every effect is a moment at which the bot can crash.
 */
export class Scheduler {
  readonly time: VirtualTime;
  /** Called when a life ends: whatever it held is let go. */
  onCrash: (life: Life) => Promise<void> = async () => {};
  /** Called when nothing else can run: starts jobs that are due. True: something was started. */
  onIdle: () => boolean = () => false;
  readonly trace: string[] = [];
  /** Requests that are under way although their answers were given up. They outlive the bot. */
  #late: { readonly atMs: number; readonly label: string; perform(): Promise<void> }[] = [];
  #calls: PendingCall[] = [];
  #crash: PlannedCrash | null = null;
  #callFaults: { readonly fault: Fault; readonly writesOnly: boolean }[] = [];
  #statementFaults: { readonly fault: "before" | "after" | "refused"; left: number }[] = [];
  effects = 0;

  constructor(time: VirtualTime) {
    this.time = time;
  }

  /** A call of a neighbour. It happens when it is chosen. */
  call<T>(life: Life, label: string, work: (fault: Fault | null) => Promise<T>): Promise<T> {
    if (life.isOver) return never();
    return new Promise((resolve, reject) => {
      const perform = async (fault: Fault | null): Promise<void> => {
        try {
          const answer = await work(fault);
          if (!life.isOver) resolve(answer);
        } catch (error) {
          if (!life.isOver) reject(error);
        }
      };
      this.#calls.push({ life, label, perform, heldUntil: 0 });
    });
  }

  /** What a call does whose answer was given up happens within 29 seconds. */
  happensLate(label: string, perform: () => Promise<void>): void {
    this.#late.push({ atMs: this.time.now() + ((this.effects * 997) % 29_000), label, perform });
  }

  /** What is late and due happens. */
  async performLate(untilMs: number): Promise<void> {
    const due = this.#late.filter(({ atMs }) => atMs <= untilMs);
    this.#late = this.#late.filter((late) => !due.includes(late));
    for (const { label, perform } of due) {
      this.trace.push(`late: ${label}`);
      await perform();
    }
  }

  /** A statement of the database, or of the queue. */
  async statement<T>(life: Life, work: () => Promise<T>): Promise<T> {
    if (life.isOver) return never();
    this.effects += 1;
    const fault = this.#takeStatementFault();
    if (fault === "refused") throw new Error("the database refuses the statement");
    if (fault === "before") throw new LostConnection("terminating connection due to administrator command");
    if (await this.#crashes(life, "before")) return never();
    const answer = await work();
    if (await this.#crashes(life, "after")) return never();
    if (fault === "after") throw new LostConnection("terminating connection due to administrator command");
    return answer;
  }

  /** Plans a crash at the effect that is `effects` effects away. */
  plansCrash(effects: number, moment: "before" | "after"): void {
    this.#crash = { left: effects, moment };
  }

  /** The next call of a neighbour goes wrong; `writesOnly`: the next that changes something. */
  plansCallFault(fault: Fault, { writesOnly }: { writesOnly: boolean }): void {
    this.#callFaults.push({ fault, writesOnly });
  }

  /** The statement that is `statements` statements away goes wrong. */
  plansStatementFault(fault: "before" | "after" | "refused", statements: number): void {
    this.#statementFaults.push({ fault, left: statements });
  }

  /** The calls of this life that wait now are answered after so many other effects. */
  holdsCalls(life: Life, effects: number): void {
    for (const call of this.#calls) if (call.life === life) call.heldUntil = this.effects + effects;
  }

  /** From now on nothing goes wrong. */
  endFaults(): void {
    this.#crash = null;
    this.#callFaults = [];
    this.#statementFaults = [];
  }

  async crash(life: Life): Promise<void> {
    if (life.isOver) return;
    this.trace.push("the bot crashes");
    life.isOver = true;
    this.#crash = null;
    this.#calls = this.#calls.filter((call) => call.life !== life);
    this.time.clear(life);
    await this.onCrash(life);
  }

  /** Lets everything run that waits for no neighbour and no time. */
  async drain(): Promise<void> {
    do await this.time.drain();
    while (this.onIdle());
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** Lets one waiting call happen, or the next timer fire when it is due before; false: there is neither within `soonMs`. */
  async performOne(pick: number, soonMs: number): Promise<boolean> {
    await this.drain();
    await this.performLate(this.time.now());
    const nextMs = this.time.nextMs();
    const free = this.#calls.filter(({ heldUntil }) => heldUntil <= this.effects);
    // In an order of their own: which of several reads is sent first depends on modules that are loaded meanwhile.
    const calls = (free.length > 0 ? free : this.#calls).toSorted((a, b) =>
      a.label < b.label ? -1 : Number(a.label > b.label),
    );
    const call = calls[pick % Math.max(1, calls.length)];
    if (call === undefined) return this.#moveOn(soonMs);
    const tookMs = 5 + (pick % 60);
    if (nextMs !== null && nextMs <= this.time.now() + tookMs) this.time.fireNext();
    else await this.#perform(call, tookMs);
    await this.drain();
    return true;
  }

  /** The next timer fires, or what is late happens; false: neither within `soonMs`. */
  async #moveOn(soonMs: number): Promise<boolean> {
    const nowMs = this.time.now();
    const timerMs = this.time.nextMs() ?? Number.POSITIVE_INFINITY;
    const lateMs = Math.min(...this.#late.map(({ atMs }) => atMs));
    if (Math.min(timerMs, lateMs) > nowMs + soonMs) return false;
    if (timerMs <= lateMs) this.time.fireNext();
    else this.time.passes(lateMs - nowMs);
    await this.performLate(this.time.now());
    await this.drain();
    return true;
  }

  async #perform(call: PendingCall, tookMs: number): Promise<void> {
    this.time.passes(tookMs);
    this.#calls = this.#calls.filter((other) => other !== call);
    const fault = this.#takeCallFault(call.label);
    this.effects += 1;
    this.trace.push(`${call.label}${fault === null ? "" : ` (fault: ${fault})`}`);
    if (await this.#crashes(call.life, "before")) return;
    const performed = call.perform(fault);
    if (!(await this.#crashes(call.life, "after"))) await performed;
    else await performed;
  }

  async #crashes(life: Life, moment: "before" | "after"): Promise<boolean> {
    const crash = this.#crash;
    if (crash === null || crash.moment !== moment) return false;
    crash.left -= 1;
    if (crash.left >= 0) return false;
    await this.crash(life);
    return true;
  }

  #takeCallFault(label: string): Fault | null {
    const isWrite = !/^(GET|platform|query)\b/.test(label);
    const mayBeLate = isWrite && /check-runs|\/comments|^mutation/.test(label);
    const index = this.#callFaults.findIndex(({ fault, writesOnly }) =>
      fault === "late" ? mayBeLate : isWrite || !writesOnly,
    );
    return index === -1 ? null : (this.#callFaults.splice(index, 1)[0]?.fault ?? null);
  }

  #takeStatementFault(): "before" | "after" | "refused" | null {
    const [first] = this.#statementFaults;
    if (first === undefined) return null;
    first.left -= 1;
    if (first.left >= 0) return null;
    this.#statementFaults.shift();
    return first.fault;
  }
}
