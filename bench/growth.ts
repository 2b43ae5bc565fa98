import { sql } from "kysely";
import { buildVerdictRecord } from "../src/evaluate/record-decision.ts";
import { evaluatePolicy } from "../src/policy/evaluate-policy.ts";
import { parsePolicy } from "../src/policy/file/parse.ts";
import { createRenderer } from "../src/render/renderer.ts";
import { appendDecision } from "../src/store/audit/decisions.ts";
import { enterLane } from "../src/store/database/lanes.ts";
import { saveDecision } from "../src/store/evaluations.ts";
import { storedEvaluation } from "../src/store/json/stored-values.ts";
import type { Database } from "../src/wiring/database/schema.ts";
import { loadTemplates } from "../src/wiring/process/templates.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  report,
  resource,
  stage,
} from "../test/render/evaluation-builder.ts";
import { type Figure, median, ms, ratio } from "./figures.ts";
import { type BenchEngine, benchEngines } from "./platform-engines.ts";

const RESOURCES = [1, 10, 100, 1_000, 10_000];
/** Stored evaluations. Laying a million into a database takes about a minute. */
const STORED = [1_000, 10_000, 100_000, 1_000_000];
const ROUNDS = 40;
const WARM = 5;
/** Evaluations that a pull request has had. */
const PER_PULL = 10;
const REPOSITORIES = 200;
const POLICY = `version: 1
rules:
  - { id: increase, limit: { increase: 500 USD } }
  - { id: per-module, limit: { increase: 5 USD }, per: module, enforce: warn }
  - { id: databases, when: 'changes.rows.exists(r, r.change == "deleted")', message: "a database" }
`;

/** How the time of an evaluation grows with its resources, and that of storing one with those that are stored. */
export async function growth(): Promise<readonly Figure[]> {
  const figures = [...measureResources()];
  for (const engine of await benchEngines()) figures.push(...(await measureStore(engine)));
  return figures;
}

/** An evaluation of so many resources. */
const buildEvaluation = (resources: number) =>
  evaluation({
    report: report([stage("prod", ["0", "600"])], {
      resources: Array.from({ length: resources }, (_, at) =>
        resource(`module.web.aws_instance.thing-${at}`, String(at)),
      ),
    }),
    situation: evaluatedSituation("block", [finding("increase")]),
  });

function measureResources(): readonly Figure[] {
  const parsed = parsePolicy({ repository: { file: "tollgate.yml", text: POLICY }, organisation: null });
  if (parsed.state !== "ok") throw new Error("the bench's policy is not valid");
  const renderer = createRenderer(loadTemplates());
  const links = { details: null, recheckHint: true };
  const times = RESOURCES.map((count) => {
    const subject = buildEvaluation(count);
    const text = JSON.stringify(subject.report);
    const work = () => {
      evaluatePolicy(subject.report, parsed.policy, subject.context);
      renderer.comment(subject, links);
      renderer.check(subject, links);
      storedEvaluation.write(subject);
    };
    return { count, ours: timeOf(work), floor: timeOf(() => JSON.parse(text)) };
  });
  const perResource = ({ ours, count }: { ours: number; count: number }) => (1_000 * ours) / count;
  const figures = times.map(({ count, ours, floor }) => ({
    what: `rules, comment, check and stored form of ${count} resources`,
    value: `${ms(ours)}, ${perResource({ ours, count }).toFixed(1)} µs each`,
    goal: "–",
    floor: `${ms(floor)} JSON.parse of the report`,
  }));
  const [thousand, tenThousand] = times.slice(-2).map(perResource);
  return [
    ...figures,
    {
      what: "… time per resource at 10,000 against 1,000",
      value: ratio((tenThousand ?? 0) / (thousand ?? 1)),
      goal: "constant: ≤ 1.3 ×",
    },
  ];
}

function timeOf(work: () => unknown): number {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS / 4 + WARM; round++) {
    const before = performance.now();
    work();
    if (round >= WARM) samples.push(performance.now() - before);
  }
  return median(samples);
}

async function measureStore(engine: BenchEngine): Promise<readonly Figure[]> {
  const { store, close } = await engine.open();
  const figures: Figure[] = [];
  const times: number[] = [];
  let stored = 0;
  for (const size of STORED) {
    await layEvaluations(store, { from: stored, to: size });
    stored = size;
    const { ours, floor } = await timeStoring(store, size);
    times.push(ours);
    const what = `${engine.name}: one more evaluation stored beside ${size.toLocaleString("en")}`;
    figures.push({ what, value: ms(ours), goal: "–", floor: `${ms(floor)} plain insert, select by key` });
  }
  await close();
  const growth = ratio((times.at(-1) ?? 0) / (times[0] ?? 1));
  return [
    ...figures,
    { what: `${engine.name}: … last against first`, value: growth, goal: "constant: ≤ 1.3 ×" },
  ];
}

/** Pull requests with ten evaluations each, their figures and decisions, by a few statements. */
async function layEvaluations({ db }: Database, { from, to }: { from: number; to: number }): Promise<void> {
  const small = storedEvaluation.write(buildEvaluation(5));
  const key = `1 + n % ${REPOSITORIES}, n`;
  const result = "lpad(to_hex(n), 40, 'a'), 'main', 'tollgate: main', 'd' || id, 'success', 'b'";
  const columns = "repository_id, number, head_sha, base_ref, check_name, digest, decision, policy_blobs";
  const series = `generate_series(${from + 1}, ${to}) as id, lateral (select id / ${PER_PULL} + 1 as n) as pull`;
  const lay = async (text: string, ...values: readonly unknown[]) => {
    const [head = "", tail = ""] = text.split("?");
    await sql`${sql.raw(head)}${values.length > 0 ? sql`${values[0]}` : sql``}${sql.raw(tail)}`.execute(db);
  };
  await lay(`insert into pulls (repository_id, number, head_sha, base_ref, state, head_seen_at, updated_at)
    select distinct ${key}, lpad(to_hex(n), 40, 'a'), 'main', 'closed', now(), now() from ${series} on conflict do nothing`);
  await lay(
    `insert into past_evaluations (${columns}, evaluation, evaluation_id, figures, situation, cost, begun_at, created_at, ended_at)
    select ${key}, ${result}, ?::jsonb, 10000000 + id, true, 'evaluated', 'known', now(), now(), now() from ${series}`,
    small,
  );
  await lay(`insert into evaluation_totals select 10000000 + id, 'USD', 0, 1, 1, 'known' from ${series}`);
  await lay(`insert into check_runs (repository_id, head_sha, name, check_run_id, digest, completed, version, updated_at)
    select distinct 1 + n % ${REPOSITORIES}, lpad(to_hex(n), 40, 'a'), 'tollgate: main', n, 'd', true, 1, now() from ${series}
    on conflict do nothing`);
  await lay(`insert into decisions (seq, at, repository_id, number, head_sha, kind, record, previous_hash, hash)
    select 10000000 + id, now(), ${key}, 'a', 'verdict', '{}', 'x', 'laid ' || id from ${series}`);
  await sql`analyze`.execute(db);
}

/** A lane's token, the decision with its rows, and the chain: everything that one evaluation writes for itself. */
async function timeStoring({ db }: Database, size: number): Promise<{ ours: number; floor: number }> {
  await sql`create table if not exists plain (id bigint primary key, evaluation jsonb not null)`.execute(db);
  const text = storedEvaluation.write(buildEvaluation(40));
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS + WARM; round++) {
    const subject = buildEvaluation(40);
    const number = 5_000_000 + round;
    const made = { ...subject, pull: { ...subject.pull, repositoryId: 1 + (round % REPOSITORIES), number } };
    const now = new Date();
    const began = performance.now();
    const fence = await enterLane(db, `pull:1:${number}`, now);
    const stored = { evaluation: made, digest: `${size} ${round}`, policyBlobs: "b" };
    await saveDecision(db, stored, { fence, now, budgetVersion: null });
    await appendDecision(db, buildVerdictRecord(stored), now);
    const middle = performance.now();
    const id = size * 1_000 + round;
    await sql`insert into plain values (${id}, ${text}::jsonb)`.execute(db);
    await sql`select * from plain where id = ${id}`.execute(db);
    if (round < WARM) continue;
    ours.push(middle - began);
    floor.push(performance.now() - middle);
  }
  return { ours: median(ours), floor: median(floor) };
}
