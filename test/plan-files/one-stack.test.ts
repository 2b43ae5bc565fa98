import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import type { Policy } from "../../src/policy/model/policy.ts";
import { buildReport } from "../../src/report/build.ts";
import type { ChangeCounts, StageFacts } from "../../src/report/model/facts.ts";
import { readStages } from "../../src/wiring/preview/read-stages.ts";
import { use } from "../policy/evaluate-facts.ts";
import { CONTEXT, policy } from "../policy/policies.ts";
import { cost, counts, facts, known, stage } from "../report/facts.ts";
import { casesToTry } from "../world/depth.ts";
import { inPieces, utf8 } from "./bytes.ts";
import { breakdown, estimate, scan, scanProject, scanResource } from "./estimate-builder.ts";
import { plan, resourceChange } from "./plan-builder.ts";

// Pairs of a plan and an estimate are made of one random stack. The oracle knows what is paid before and after.

/** How the estimator sees a resource: with a price, named without one, or only counted. */
const TYPES = { priced: "aws_instance", free: "aws_iam_role", counted: "aws_sns_topic" } as const;
type Kind = keyof typeof TYPES;

/** An amount per month; null: the code has no such resource. */
type Amount = number | null;

interface Fate {
  readonly actions: readonly string[];
  readonly isMoved?: true;
  readonly isImported?: true;
  /** `count` becomes `for_each`: its key `[0]` is deleted, and `["0"]` is created. */
  readonly isRekeyed?: true;
  /** What the code says, before and after. */
  readonly coded: (before: number, after: number) => readonly [Amount, Amount];
  /** What is paid, before and after. */
  readonly paid: (before: number, after: number) => readonly [number, number];
  readonly counts: Partial<ChangeCounts>;
}

const FATES = {
  create: { actions: ["create"], coded: (_, b) => [null, b], paid: (_, b) => [0, b], counts: { added: 1 } },
  delete: {
    actions: ["delete"],
    coded: (a) => [a, null],
    paid: (a) => [a, 0],
    counts: { deleted: 1 },
  },
  update: { actions: ["update"], coded: (a, b) => [a, b], paid: (a, b) => [a, b], counts: { changed: 1 } },
  keep: { actions: ["no-op"], coded: (a) => [a, a], paid: (a) => [a, a], counts: { unchanged: 1 } },
  replace: {
    actions: ["delete", "create"],
    coded: (a, b) => [a, b],
    paid: (a, b) => [a, b],
    counts: { added: 1, deleted: 1, replaced: 1 },
  },
  rekey: {
    ...{ actions: ["create"], isRekeyed: true },
    coded: (a, b) => [a, b],
    paid: (a, b) => [a, b],
    counts: { added: 1, deleted: 1 },
  },
  move: {
    ...{ actions: ["no-op"], isMoved: true },
    coded: (a) => [a, a],
    paid: (a) => [a, a],
    counts: { unchanged: 1 },
  },
  moveAndUpdate: {
    ...{ actions: ["update"], isMoved: true },
    coded: (a, b) => [a, b],
    paid: (a, b) => [a, b],
    counts: { changed: 1 },
  },
  import: {
    ...{ actions: ["no-op"], isImported: true },
    coded: (_, b) => [null, b],
    paid: (_, b) => [b, b],
    counts: { imported: 1 },
  },
  importAndUpdate: {
    ...{ actions: ["update"], isImported: true },
    coded: (_, b) => [null, b],
    paid: (_, b) => [0, b],
    counts: { imported: 1, changed: 1 },
  },
  forget: {
    actions: ["forget"],
    coded: (a) => [a, null],
    paid: (a) => [a, a],
    counts: { removed: 1 },
  },
  abandon: {
    actions: ["forget", "create"],
    coded: (a, b) => [a, b],
    paid: (a, b) => [a, a + b],
    counts: { removed: 1, added: 1 },
  },
} as const satisfies Readonly<Record<string, Fate>>;

interface Item {
  readonly kind: Kind;
  readonly fate: keyof typeof FATES;
  readonly prices: readonly [number, number];
  /** The value of its tag before and after; null: it has none. */
  readonly teams: readonly [string | null, string | null];
  /** Its address as the plan and as the estimate write it, and the plan's address before. */
  readonly written: { readonly plan: string; readonly estimate: string; readonly previous: string };
}

const fateOf = ({ fate }: Pick<Item, "fate">): Fate => FATES[fate];
const teamOf = ({ fate, teams }: Item, at: 0 | 1) =>
  teams[fateOf({ fate }).actions.includes("no-op") ? 0 : at];
const tagsFor = (team: string | null) => (team === null ? {} : { team });
const coded = (item: Item) => fateOf(item).coded(...item.prices);
const paid = (item: Item) => (item.kind === "priced" ? fateOf(item).paid(...item.prices) : [0, 0]);
const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);

/** What begins a template where it is not written as `$${`. */
const TEMPLATE = "$" + "{x}";

/** The same key as Terraform and as an estimator may write it. */
const KEYS = [
  ["", ""],
  ["[0]", "[0]"],
  ['["a.b"]', "['a.b']"],
  ['["0"]', "[0]"],
  [`["$${TEMPLATE}"]`, `["${TEMPLATE}"]`],
  ['["s3cret-one"]', '["s3cret-one"]'],
] as const;

const team = fc.constantFrom("payments", "search", null);

const items = (prefix: string, lengths: { minLength?: number; maxLength: number }) =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom<Kind>("priced", "priced", "free", "counted"),
        fate: fc.constantFrom(...(Object.keys(FATES) as (keyof typeof FATES)[])),
        prices: fc.tuple(fc.nat(500), fc.nat(500)),
        teams: fc.tuple(team, team),
        key: fc.constantFrom(...KEYS),
        module: fc.constantFrom("", "module.web.", 'module.web["eu"].'),
      }),
      lengths,
    )
    .map((all) =>
      all.map(({ key: [planKey, estimateKey], module, kind, ...item }, at): Item => {
        const address = `${module}${TYPES[kind]}.${prefix}${at}`;
        const written =
          item.fate === "rekey"
            ? { plan: `${address}["0"]`, estimate: `${address}["0"]`, previous: `${address}[0]` }
            : {
                ...{ plan: address + planKey, estimate: address + estimateKey },
                previous: `${TYPES[kind]}.old_${prefix}${at}`,
              };
        return { ...item, kind, written };
      }),
    );
const stack = items("r", { maxLength: 10 });

/** The estimator's view of a stack, with the fault that it has. */
interface EstimateFaults {
  /** Resources that it does not see, before (also) or only afterwards. */
  readonly unseen?: { readonly item: Item; readonly also: "before" | "after" };
  readonly warnings?: readonly object[];
  /** Whether it counts resources without a price. */
  readonly isCounted?: boolean;
  /** It states this value of the tag for all resources. */
  readonly team?: string;
}

/** A resource as an estimator sees it; `cost`: per month. */
interface EstimatedResource {
  readonly kind: Kind;
  readonly name: string;
  readonly cost: number;
  readonly tags: object;
}

const listSeen = (
  all: readonly Item[],
  at: 0 | 1,
  { unseen, team: wrong }: EstimateFaults,
): readonly EstimatedResource[] =>
  all
    .filter((item) => item !== unseen?.item || (at === 0 && unseen.also === "after"))
    .filter((item) => coded(item)[at] !== null)
    .map((item) => {
      const isOld = at === 0 && (fateOf(item).isMoved || fateOf(item).isRekeyed);
      const { previous, estimate: name } = item.written;
      const tags = tagsFor(wrong ?? teamOf(item, at) ?? null);
      return { kind: item.kind, name: isOld ? previous : name, cost: coded(item)[at] ?? 0, tags };
    });

const listPriced = (seen: readonly EstimatedResource[]) =>
  seen
    .filter(({ kind }) => kind === "priced")
    .map(({ name, cost: monthlyCost, tags }) => ({ name, monthlyCost, tags }));
const totalOf = (seen: readonly EstimatedResource[]) =>
  sum(listPriced(seen).map(({ monthlyCost }) => monthlyCost));

/** One side as Infracost 0.10 writes it, which names free resources of the present alone. */
function breakdownOf(seen: readonly EstimatedResource[], side: "past" | "present"): object {
  const freeResources = seen.filter(({ kind }) => side === "present" && kind === "free");
  return { ...breakdown(totalOf(seen), listPriced(seen)), freeResources };
}

function summaryOf(seen: readonly EstimatedResource[], isCounted: boolean) {
  const count = (kind: Kind) => seen.filter((one) => one.kind === kind).length;
  const noPriceResourceCounts = { aws_iam_role: count("free"), aws_sns_topic: count("counted") };
  return {
    totalDetectedResources: seen.length,
    ...(isCounted && { unsupportedResourceCounts: {}, noPriceResourceCounts }),
  };
}

/** How an estimator writes a stack: its change, or its two states by Infracost 0.10 or 2. */
type Form = "difference" | "two states" | "two scans";

function estimateOf(
  all: readonly Item[],
  faults: EstimateFaults = {},
  form: Form = "difference",
): Pick<Files, "estimate" | "base"> {
  const { warnings = [], isCounted = true } = faults;
  const [past, present] = [listSeen(all, 0, faults), listSeen(all, 1, faults)];
  if (form === "two scans") return { estimate: scanOf(present), base: scanOf(past) };
  const metadata = { type: "terraform_dir", warnings };
  if (form === "two states") {
    const state = (seen: readonly EstimatedResource[]) => {
      const summary = summaryOf(seen, isCounted);
      const side = breakdownOf(seen, "present");
      const own = {
        name: "stack",
        metadata,
        pastBreakdown: side,
        breakdown: side,
        diff: breakdown(0),
        summary,
      };
      return estimate([own], [totalOf(seen), totalOf(seen), 0], {
        metadata: { infracostCommand: "breakdown" },
        summary,
      });
    };
    return { estimate: state(present), base: state(past) };
  }
  const [before, after] = [past, present].map(
    (seen) => new Map(listPriced(seen).map((one) => [one.name, one.monthlyCost])),
  );
  const differences = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
    .map((name) => ({ name, monthlyCost: (after?.get(name) ?? 0) - (before?.get(name) ?? 0) }))
    .filter(({ monthlyCost }) => monthlyCost !== 0);
  const summary = summaryOf(present, isCounted);
  const change = totalOf(present) - totalOf(past);
  const project = {
    name: "stack",
    metadata,
    pastBreakdown: breakdownOf(past, "past"),
    breakdown: breakdownOf(present, "present"),
    diff: breakdown(change, differences),
    summary,
  };
  const totals = [totalOf(past), totalOf(present), change];
  return { estimate: estimate([project], totals, { metadata: { infracostCommand: "diff" }, summary }) };
}

const scanOf = (seen: readonly EstimatedResource[]): object =>
  scan([
    scanProject(
      seen.map(({ kind, name, cost: amount, tags }) =>
        scanResource(name, {
          type: TYPES[kind],
          supports_tags: true,
          ...(Object.keys(tags).length > 0 && { tags }),
          ...(kind === "priced" ? { cost: amount } : { is_free: true }),
        }),
      ),
    ),
  ]);

/** The plan of a stack, which defers what is named. */
function planOf(all: readonly Item[], deferred: Item | null = null): object {
  const changesOf = (item: Item) => {
    const { actions, isMoved, isImported, isRekeyed } = fateOf(item);
    const more = {
      ...(isMoved && { previous_address: item.written.previous }),
      ...(isImported && { importing: { id: "x" } }),
      ...{ before_sensitive: { password: true }, after_sensitive: { password: true } },
    };
    const side = (at: 0 | 1) => ({ password: "s3cret-one", tags: tagsFor(teamOf(item, at) ?? null) });
    const [isNew, isGone] = [item.fate === "create" || isRekeyed, ["delete", "forget"].includes(item.fate)];
    const sides = { before: isNew ? null : side(0), after: isGone ? null : side(1) };
    const changes = [
      ...(isRekeyed
        ? [{ address: item.written.previous, actions: ["delete"], before: side(0), after: null }]
        : []),
      { address: item.written.plan, actions, ...more, ...sides },
    ];
    return changes.map((change) => ({ ...resourceChange(change), type: TYPES[item.kind] }));
  };
  return plan({
    resource_changes: all.filter((item) => item !== deferred).flatMap(changesOf),
    ...(deferred && {
      complete: false,
      deferred_changes: changesOf(deferred).map((resource_change) => ({
        reason: "provider_config_unknown",
        resource_change,
      })),
    }),
  });
}

/** The outcome of each rule of a policy, over stages. */
const outcomes = (limits: Policy, stages: readonly StageFacts[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    evaluatePolicy(buildReport(facts(...stages), { stages: [] }), limits, {
      context: { ...CONTEXT, budgetUse: use() },
    }).findings.map(({ rule, outcome }) => [rule, outcome]),
  );

interface Files {
  readonly estimate: object;
  /** The estimate of the state before, where the other one does not compare. */
  readonly base?: object;
  readonly plan?: object;
}

async function stagesOf(files: Files): Promise<readonly StageFacts[]> {
  const input = (file: string, document: object) => ({
    file,
    bytes: inPieces(utf8(JSON.stringify(document))),
  });
  const { stages } = await readStages({
    estimates: [
      {
        ...input("costs.json", files.estimate),
        ...(files.base && { base: input("base.json", files.base) }),
      },
    ],
    plans: files.plan ? [input("plan.json", files.plan)] : [],
    named: [],
  });
  return stages;
}

/** What is said of stages: the cost, and the change of the cost by module and by resource. */
function figures(stages: readonly StageFacts[]) {
  const { totals, modules, resources } = buildReport(facts(...stages), { stages: [] });
  const changes = (parts: readonly { readonly change: string | null }[]) =>
    sum(parts.map(({ change }) => Number(change)));
  return {
    cost: totals.map(({ before, after, state }) => [Number(before), Number(after), state]),
    changes: [changes(totals), changes(modules), changes(resources)],
  };
}

type Sums = Readonly<Record<string, readonly (number | null)[]>>;

const omitZeros = (sums: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).filter(([, amounts]) => amounts.some((one) => one !== 0)));

/** The cost before and after by the value of the tag. */
function sumsByTeam(stages: readonly StageFacts[]): Sums {
  const { byTag } = buildReport(facts(...stages), { stages: [], tagKeys: ["team"], byTag: "team" });
  const lines = (byTag?.lines ?? []).map(({ kind, value, before, after }) => [
    value ?? kind,
    [before, after].map((one) => one && Number(one)),
  ]);
  return omitZeros(Object.fromEntries(lines));
}

/** What is truly paid by the value of the tag. What is forgotten keeps its tags. */
function trueSums(all: readonly Item[], amountsOf: (item: Item) => readonly Amount[]): Sums {
  const sums: Record<string, [number, number]> = { untagged: [0, 0], payments: [0, 0], search: [0, 0] };
  const add = (value: string | null | undefined, at: 0 | 1, amount: Amount | undefined) => {
    const own = sums[value ?? "untagged"];
    if (own) own[at] += amount ?? 0;
  };
  for (const item of all.filter(({ kind }) => kind === "priced")) {
    const [before, after] = amountsOf(item);
    const kept = amountsOf === paid && ["forget", "abandon"].includes(item.fate) ? (before ?? 0) : 0;
    add(teamOf(item, 0), 0, before);
    add(teamOf(item, 0), 1, kept);
    add(teamOf(item, 1), 1, (after ?? 0) - kept);
  }
  return omitZeros(sums);
}

/** A stage of what is truly paid and changed. */
function trueStage(all: readonly Item[]): StageFacts {
  const [before, after] = ([0, 1] as const).map((at) => sum(all.map((item) => paid(item)[at] ?? 0)));
  const number = (kind: keyof ChangeCounts) => sum(all.map((item) => fateOf(item).counts[kind] ?? 0));
  const kinds = Object.keys(counts()) as (keyof ChangeCounts)[];
  const changes = counts(Object.fromEntries(kinds.map((kind) => [kind, number(kind)])));
  return stage({ cost: known(cost(`${before} > ${after}`)), counts: known(changes) });
}

const limits = fc
  .record({ money: fc.nat(800), total: fc.nat(3000), percent: fc.nat(150), count: fc.nat(4) })
  .map(({ money, total, percent, count }) =>
    policy(`rules:
  - { id: increase, limit: { increase: ${money} USD } }
  - { id: decrease, limit: { decrease: ${money} USD } }
  - { id: total, limit: { total: ${total} USD } }
  - { id: percent, limit: { percent: ${percent} } }
  - { id: deletions, limit: { deletions: ${count} } }
  - { id: replacements, limit: { replacements: ${count} } }
  - { id: changes, limit: { changes: ${count * 3} } }
budgets: [{ id: budget, amount: ${total} USD }]
`),
  );

const forms = fc.constantFrom<Form>("difference", "two states", "two scans");

/** An estimate that saw nothing at all is believed only where something had a price. */
const isSeen = (all: readonly Item[]): boolean =>
  all.some((item) => coded(item)[1] !== null || (item.kind === "priced" && coded(item)[0] !== null));

const runs = { numRuns: casesToTry({ usual: 90, deep: 2000 }) };

/** Which rules pass although they do not pass for the stack itself. */
const better = (found: Readonly<Record<string, string>>, truth: Readonly<Record<string, string>>) =>
  Object.keys(truth).filter((rule) => found[rule] === "passed" && truth[rule] !== "passed");

describe("a plan and an estimate of one random stack", () => {
  test("are decided as what is truly paid and changed, whatever moves, is imported or forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(stack, limits, fc.boolean(), forms, async (all, rules, isCounted, form) => {
        fc.pre(all.length === 0 || isSeen(all));
        const truth = trueStage(all);
        const stages = await stagesOf({ ...estimateOf(all, { isCounted }, form), plan: planOf(all) });
        expect(outcomes(rules, stages)).toEqual(outcomes(rules, [truth]));
        const [[before = 0, after = 0]] = figures([truth]).cost as [[number, number]];
        const change = after - before;
        expect(figures(stages)).toEqual({
          cost: [[before, after, "known"]],
          changes: [change, change, change],
        });
      }),
      runs,
    );
  });

  test("have the cost of each value of a tag, whatever the estimate says of tags", async () => {
    const wrong = fc.constantFrom({}, { team: "wrong" });
    await fc.assert(
      fc.asyncProperty(stack, forms, wrong, async (all, form, faults) => {
        const stages = await stagesOf({ ...estimateOf(all, faults, form), plan: planOf(all) });
        expect(sumsByTeam(stages)).toEqual(trueSums(all, paid));
      }),
      runs,
    );
  });

  test("have the cost of each value of a tag without the plan, as the code says", async () => {
    await fc.assert(
      fc.asyncProperty(stack, forms, async (all, form) => {
        expect(sumsByTeam(await stagesOf(estimateOf(all, {}, form)))).toEqual(trueSums(all, coded));
      }),
      runs,
    );
  });

  type Fault = (all: readonly Item[], at: number, other: Item, form: Form) => Files;
  const priced = (all: readonly Item[], at: number): Item | undefined => {
    const own = all.filter((item) => item.kind === "priced" && coded(item)[1] !== null);
    return own[at % Math.max(1, own.length)];
  };
  const drop =
    (also: "before" | "after"): Fault =>
    (all, at, _, form) => {
      const item = priced(all, at);
      return { ...estimateOf(all, item && { unseen: { item, also } }, form), plan: planOf(all) };
    };
  test.each<[string, Fault]>([
    ["whose estimate drops a resource afterwards", drop("after")],
    ["whose estimate drops a resource before and afterwards", drop("before")],
    [
      "whose estimate is of a commit with one resource more",
      (all, _, other, form) => ({ ...estimateOf([...all, other], {}, form), plan: planOf(all) }),
    ],
    [
      "whose estimate is of a commit with another resource instead of one",
      (all, at, other, form) => ({
        ...estimateOf([...all.filter((item) => item !== priced(all, at)), other], {}, form),
        plan: planOf(all),
      }),
    ],
    [
      "whose estimate lacks a variable, and what depends on it",
      (all, at) => {
        const item = priced(all, at);
        const warnings = [{ code: 105, message: "Missing Terraform vars", data: ["variable.size"] }];
        const unseen = item && { unseen: { item, also: "before" as const } };
        return { ...estimateOf(all, { ...unseen, warnings }), plan: planOf(all) };
      },
    ],
    [
      "whose plan defers a change",
      (all, at, _, form) => ({
        ...estimateOf(all, {}, form),
        plan: planOf(all, all[at % Math.max(1, all.length)] ?? null),
      }),
    ],
  ])("%s, are never decided better than the stack itself", async (_, fault) => {
    const others = items("other", { minLength: 1, maxLength: 1 }).map(([one]) => one as Item); // of length 1
    await fc.assert(
      fc.asyncProperty(stack, limits, fc.nat(20), others, forms, async (all, rules, at, ...more) => {
        const [other, form] = more;
        const found = await stagesOf(fault(all, at, { ...other, kind: "priced" }, form));
        expect(better(outcomes(rules, found), outcomes(rules, [trueStage(all)]))).toEqual([]);
      }),
      runs,
    );
  });
});
