import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { Bot } from "./bot.ts";
import { CORE, type Core } from "./core.ts";
import { MUTANTS } from "./mutants.ts";
import { mayMerge } from "./oracle.ts";
import { type Step, settle, step } from "./steps.ts";
import { World } from "./world.ts";

const SEED = 20_260_301;
const SEQUENCES = casesToTry({ usual: 200, deep: 10_000 });
const MUTANT_SEQUENCES = 60_000;
const sequence = fc.array(step, { minLength: 3, maxLength: 25 });

interface Outcome {
  /** GitHub would merge what nobody may. */
  readonly letThrough: boolean;
  /** GitHub holds what may be merged. */
  readonly heldBack: boolean;
}

/** Plays the steps; looks at the gate whenever everything has arrived. */
function play(core: Core, steps: readonly Step[]): Outcome {
  const world = new World();
  const bot = new Bot(core, world);
  let outcome: Outcome = { letThrough: false, heldBack: false };
  for (const does of [...steps, settle]) {
    does(world, bot);
    if (world.pending.length > 0) continue;
    const may = mayMerge(world, bot);
    outcome = {
      letThrough: outcome.letThrough || (bot.isOpen && !may),
      heldBack: outcome.heldBack || (!bot.isOpen && may),
    };
  }
  return outcome;
}

const HOWS = ["signed", "overridden"] as const;

/** How often signatures and overrides opened the gate, and how often what they opened closed again. */
function turnsOf(steps: readonly Step[]): readonly { readonly opened: number; readonly closed: number }[] {
  const world = new World();
  const bot = new Bot(CORE, world);
  const seen = [...steps, settle].map((does) => {
    does(world, bot);
    if (bot.isOpen && bot.isOverridden) return "overridden";
    return bot.isOpen ? (bot.isSigned ? "signed" : "open") : "shut";
  });
  const turns = (from: string, to: string) =>
    seen.filter((now, index) => now === to && seen[index - 1] === from).length;
  return HOWS.map((how) => ({ opened: turns("shut", how), closed: turns(how, "shut") }));
}

describe("approvals and overrides under everything that happens to a pull request", () => {
  test(`open the gate exactly when they may, in ${SEQUENCES} sequences`, { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(sequence, (steps) => {
        expect(play(CORE, steps)).toEqual({ letThrough: false, heldBack: false });
      }),
      { seed: SEED, numRuns: SEQUENCES },
    );
  });

  test("are really put to the test: gates are opened by approvals and by overrides, and close again", () => {
    const turns = fc.sample(sequence, { seed: SEED, numRuns: 600 }).map(turnsOf);
    for (const [index, how] of HOWS.entries()) {
      const of = turns.flatMap((one) => one[index] ?? []);
      expect(
        of.reduce((sum, { opened }) => sum + opened, 0),
        how,
      ).toBeGreaterThan(10);
      expect(
        of.reduce((sum, { closed }) => sum + closed, 0),
        how,
      ).toBeGreaterThan(5);
    }
  });

  test.runIf(inject("isDeep")).each(Object.entries(MUTANTS))(
    "a fault is found: %s",
    { timeout: 600_000 },
    (_, mutant) => {
      const found = fc.check(
        fc.property(sequence, (steps) => !play({ ...CORE, ...mutant }, steps).letThrough),
        { seed: SEED, numRuns: MUTANT_SEQUENCES, endOnFailure: true },
      );
      expect(found.failed).toBe(true);
    },
  );
});
