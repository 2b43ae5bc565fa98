import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import { combineFindings, type Finding } from "../../../src/policy/model/finding.ts";
import { sumOpenChanges } from "../../../src/store/history/open-pulls.ts";
import { readRuleStatistics } from "../../../src/store/history/rule-outcomes.ts";
import { evaluatedSituation, finding, report, stage, unknownStage } from "../../render/evaluation-builder.ts";
import { casesToTry } from "../../world/depth.ts";
import { usualEngines } from "../../world/engines.ts";
import {
  addUp,
  countAll,
  countPrevented,
  noteEnd,
  noteEvaluation,
  type PullNotes,
  readStored,
} from "./plain-statistics.ts";
import { day, Team } from "./team.ts";

const KINDS = {
  blocks: {},
  warns: { enforce: "warn" },
  approved: { approved: true },
  waived: { waiver: { owner: "o", reason: "r", untilMs: 1 } },
  undecided: { outcome: "undecided", measured: null },
  passes: { outcome: "passed" },
} as const satisfies Readonly<Record<string, Partial<Finding>>>;

interface PushStep {
  readonly kind: "push";
  readonly number: number;
  readonly stages: readonly { readonly currency: "USD" | "EUR" | null; readonly cents: number }[];
  readonly rules: Readonly<Record<string, keyof typeof KINDS>>;
  readonly figures: boolean;
  /** Whether the same head is evaluated again right away. */
  readonly repeats: boolean;
}

interface EndStep {
  readonly kind: "end";
  readonly number: number;
  readonly as: "merged" | "closed";
}

const number = fc.integer({ min: 1, max: 2 });
const Push: fc.Arbitrary<PushStep> = fc.record({
  kind: fc.constant("push" as const),
  number,
  stages: fc.array(
    fc.record({
      currency: fc.constantFrom("USD" as const, "EUR" as const, null),
      cents: fc.integer({ min: -100_000, max: 100_000 }),
    }),
    { maxLength: 3 },
  ),
  rules: fc.dictionary(
    fc.constantFrom("a", "b"),
    fc.constantFrom("blocks", "warns", "approved", "waived", "undecided", "passes"),
  ),
  figures: fc.boolean(),
  repeats: fc.boolean(),
});
const End: fc.Arbitrary<EndStep> = fc.record({
  kind: fc.constant("end" as const),
  number,
  as: fc.constantFrom("merged" as const, "closed" as const),
});

const push = (step: Partial<PushStep>): PushStep => ({
  ...{ kind: "push", number: 1, stages: [], rules: {}, figures: true, repeats: true },
  ...step,
});

const SPAN = { from: day(0), to: day(1_000) };

function buildPush(step: PushStep) {
  const stages = step.stages.map(({ currency, cents }, at) =>
    currency === null
      ? unknownStage(`w${at}`)
      : stage(`w${at}`, ["0", String(cents / 100)], { currency, name: `w${at}` }),
  );
  const findings = Object.entries(step.rules).map(([rule, kind]) => finding(rule, KINDS[kind]));
  const situation = evaluatedSituation(combineFindings(findings).kind, findings);
  return { report: report(stages), situation, pull: { figures: step.figures } };
}

/** A story of pushes, merges and closes in one repository, with notes of what happened. */
class Story {
  readonly #team: Team;
  readonly #repositoryId: number;
  /** Heads of the open pull requests, by number. */
  readonly #open = new Map<number, string>();
  readonly #played: { readonly step: PushStep | EndStep; readonly headSha: string }[] = [];

  constructor(team: Team, repositoryId: number) {
    this.#team = team;
    this.#repositoryId = repositoryId;
  }

  async plays(step: PushStep | EndStep, at: number): Promise<void> {
    if (step.kind === "push") return this.#pushes(step, at);
    if (!this.#open.delete(step.number)) return;
    await this.#team.ends(step.number, step.as, day(at), this.#repositoryId);
    this.#played.push({ step, headSha: "" });
  }

  async #pushes(step: PushStep, at: number): Promise<void> {
    const repositoryId = this.#repositoryId;
    const head = `${repositoryId} ${at}`;
    const push = { repositoryId, number: step.number, at: day(at), head, made: buildPush(step) };
    const { pull } = await this.#team.pushes(push);
    if (step.repeats) await this.#team.pushes({ ...push, at: day(at + 0.1) });
    this.#open.set(step.number, pull.headSha);
    this.#played.push({ step, headSha: pull.headSha });
  }

  /** Compares the sums of the open pull requests with those of their stored evaluations. */
  async comparesSums(): Promise<void> {
    const { db } = this.#team;
    const stored = await readStored(db, this.#repositoryId);
    const newest = [...this.#open.values()].flatMap((sha) => stored.get(sha) ?? []);
    const changes = await sumOpenChanges(db, { repositoryIds: [this.#repositoryId] });
    const expected = Map.groupBy(newest, describeOutcome);
    expect(new Set(changes.map(({ outcome }) => outcome))).toEqual(new Set(expected.keys()));
    for (const { outcome, pulls, sums } of changes) {
      const own = expected.get(outcome) ?? [];
      expect({ pulls, sums }).toEqual({ pulls: own.length, sums: addUp(own) });
    }
  }

  /** Compares the statistics of the rules with notes that were made of one evaluation after the other. */
  async comparesStatistics(): Promise<void> {
    const { db } = this.#team;
    const stored = await readStored(db, this.#repositoryId);
    const pulls = new Map<number, PullNotes>();
    const newest = new Map<number, Evaluation>();
    for (const { step, headSha } of this.#played) {
      const notes: PullNotes = pulls.get(step.number) ?? { rules: new Map(), state: "open", merged: null };
      pulls.set(step.number, notes);
      const evaluation = stored.get(headSha);
      if (step.kind === "end") noteEnd(notes, step.as, newest.get(step.number) ?? null);
      else if (evaluation !== undefined) {
        newest.set(step.number, evaluation);
        noteEvaluation(notes, evaluation);
      }
    }
    const selection = { repositoryIds: [this.#repositoryId], span: SPAN };
    const { rules: counted, prevented } = await readRuleStatistics(db, selection);
    const all = [...pulls.values()];
    const expected = countAll(all);
    expect([...counted].sort(byRule)).toMatchObject(expected.sort(byRule));
    expect(prevented).toEqual(countPrevented(null, all));
    expect(counted).toHaveLength(expected.length);
  }
}

const byRule = (a: { readonly rule: string }, b: { readonly rule: string }) => (a.rule < b.rule ? -1 : 1);

const describeOutcome = ({ situation }: Evaluation): string =>
  situation.kind === "evaluated" ? situation.verdict.kind : "none";

describe.each(usualEngines())("sums and statistics, on $name", async ({ open }) => {
  const store = await open();
  afterAll(() => store.close());

  it("are what anyone computes from the stored evaluations themselves", async () => {
    const team = new Team(store.db);
    let repositoryId = 400;
    const plays = async (steps: readonly (PushStep | EndStep)[]) => {
      repositoryId += 1;
      await team.owns(repositoryId, `r${repositoryId}`);
      const story = new Story(team, repositoryId);
      for (const [at, step] of steps.entries()) await story.plays(step, at);
      await story.comparesSums();
      await story.comparesStatistics();
    };
    await fc.assert(fc.asyncProperty(fc.array(fc.oneof(Push, End), { maxLength: 14 }), plays), {
      numRuns: casesToTry({ usual: 40, deep: 600 }),
      // A rule that blocked until the end, and is none any more when the pull request is evaluated twice again.
      examples: [[[push({ rules: { a: "blocks" } }), { kind: "end", number: 1, as: "closed" }, push({})]]],
    });
  });
});
