import { expect } from "vitest";
import { createLog } from "../../src/wiring/process/log.ts";
import { CHEAP } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World, type WorldOptions } from "../world/world.ts";

const MINUTE = 60_000;

export interface Fault {
  readonly breaks: () => Promise<void> | void;
  /** What `/readyz` says while it lasts. */
  readonly isTold: RegExp;
  /** What the log says while it lasts, with the way out. */
  readonly isLogged: readonly RegExp[];
  readonly repairs: () => Promise<void> | void;
}

/** A world whose surroundings break, with what an operator sees of it. */
export class FaultyWorld {
  readonly world: World;
  readonly #lines: string[];

  private constructor(world: World, lines: string[]) {
    this.world = world;
    this.#lines = lines;
  }

  static async create(options: WorldOptions): Promise<FaultyWorld> {
    const lines: string[] = [];
    const log = createLog("info", { destination: { write: (line) => void lines.push(line) } });
    const policy = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD } }\n";
    return new FaultyWorld(await createWorld({ policy, log, ...options }), lines);
  }

  get logged(): string {
    return this.#lines.join("");
  }

  /** Resolves when `/readyz` says this. */
  isReady(words: RegExp): Promise<void> {
    return eventually(async () => expect(await this.readyz()).toMatch(words));
  }

  async readyz(): Promise<string> {
    const answer = await fetch(`${this.world.bot.url}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  }

  /**
   * A fault comes while a pull request waits for its verdict and another is opened. No check succeeds, `/readyz` and the log say what is
   * wrong; after the fault both get the right check and one comment each, without a restart.
   */
  async survives({ breaks, isTold, isLogged, repairs }: Fault): Promise<void> {
    const { world } = this;
    const waiting = world.opensPullRequest();
    await world.settles();
    this.#lines.length = 0;
    await breaks();
    const opened = world.opensPullRequest();
    const priced = world.ci.runs({ sha: waiting.headSha, cost: CHEAP, changes: [] }).catch(() => null);
    await eventually(async () => expect(await this.readyz()).toMatch(isTold));
    for (const words of isLogged) await eventually(() => expect(this.logged).toMatch(words));
    await priced;
    for (const pull of [waiting, opened]) expect(["success", "neutral"]).not.toContain(world.gate(pull));
    await repairs();
    await this.isReady(/^200 database ok\n/);
    await world.github.deliveries.settled();
    for (const pull of [waiting, opened])
      await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
    await world.timePasses(10 * MINUTE);
    await world.bot.sweep();
    for (const pull of [waiting, opened])
      await eventually(() => {
        expect(world.gate(pull)).toBe("success");
        expect(world.comments(pull)).toHaveLength(1);
        expect(world.github.checkRuns({ repository: "acme/shop", sha: pull.headSha })).toHaveLength(1);
      });
  }
}
