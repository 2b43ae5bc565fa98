import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { contract } from "../../src/platform/contract/registry.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { answerValidator } from "../platform/openapi-validator.ts";
import { CASES } from "../platform-operations/all.ts";
import type { OperationCase, Stage } from "../platform-operations/case.ts";
import {
  exchange,
  type Harness,
  type LiveStage,
  openHarness,
  type RawAnswer,
} from "../platform-operations/harness.ts";
import type { LooseRequest } from "../platform-operations/harness-loose.ts";
import { casesToTry } from "../world/depth.ts";
import { usualEngines } from "../world/engines.ts";
import { type Aim, type Shot, shots } from "./fuzz-requests.ts";
import { holdsMark, MARK, marked } from "./tenants-marks.ts";

const AT_ONCE = 20;
const REQUESTS = {
  embedded: casesToTry({ usual: 1_000, deep: 10_000 }),
  postgres: casesToTry({ usual: 100, deep: 1_000 }),
};
/** Another run of the same requests: TENANTS_SEED=… vitest run test/platform-server/tenants.test.ts */
const seed = Number(process.env["TENANTS_SEED"] ?? Date.now() % 2 ** 31);

/** Every row of these accounts in every table: what could be read of them, and more. Tokens are only noted as used. */
async function rowsOf({ db }: Database, accounts: readonly string[]): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'account' and table_schema = 'public' and table_name <> 'tokens'
    order by table_name`.execute(db);
  const parts: string[] = [];
  for (const { name } of tables.rows) {
    const found = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} t
      where account in (${sql.join(accounts)}) order by 1`.execute(db);
    parts.push(...found.rows.map(({ row }) => `${name} ${row}`));
  }
  return parts.join("\n");
}

interface Tenants {
  /** Tenant A, in each endpoint's own pair of accounts: with its own token, with B's account, and with a token of another project. */
  readonly aims: readonly Aim[];
  /** Tenant B's accounts. */
  readonly others: readonly string[];
  /** Reads that answered A otherwise once B had things of the same names. */
  readonly mixed: readonly string[];
}

/** For each endpoint two accounts with things of the same names: what B's say is marked. */
async function settle(harness: Harness): Promise<Tenants> {
  const aims: Aim[] = [];
  const others: string[] = [];
  const mixed: string[] = [];
  for (const [name, endpoint] of Object.entries(contract) as [keyof typeof contract, Endpoint][]) {
    const one = CASES[name] as unknown as OperationCase<Endpoint>; // of this very endpoint
    const [a, b] = [await harness.stage(), await harness.stage()];
    const input = await played(a, one);
    const alone = await told(a, name, { endpoint, input });
    await played(marked(b), one);
    if ((await told(a, name, { endpoint, input })) !== alone) mixed.push(name);
    await Promise.all([a.close(), b.close()]);
    others.push(b.account);
    const aim = { name, endpoint, input, key: a.key, dialect: harness.dialect };
    const project = { repositoryId: 1, org: "acme", project: "elsewhere" };
    const narrow = await harness.world.token({ purpose: "import", account: b.account, ...project });
    aims.push({ ...aim, account: a.account }, { ...aim, account: a.account }, { ...aim, account: b.account });
    if ("org" in (input.params ?? {})) aims.push({ ...aim, account: b.account, key: narrow });
  }
  return { aims, others, mixed };
}

/** What a read answers, without what names the call; "" for operations that write. */
async function told(
  stage: LiveStage,
  name: string,
  call: { endpoint: Endpoint; input: LooseInput },
): Promise<string> {
  if (!/^(get|list|count|find|read)/.test(name)) return "";
  const { raw } = await stage.attempt(call.endpoint, call.input);
  return raw.text.replace(/"correlationId":"[^"]*"/, "");
}

async function played(stage: Stage, one: OperationCase<Endpoint>) {
  await one.arrange?.(stage);
  return typeof one.input === "function" ? await one.input(stage) : one.input;
}

/** Ends the connection in the middle of the body; no answer is waited for. */
const cutOff = (base: string, { method, target, headers, body }: LooseRequest): Promise<void> =>
  new Promise((resolve) => {
    const sent = httpRequest(base + target, { method, headers, agent: false });
    sent.on("error", () => {}).on("close", resolve);
    sent.write(body ?? "", () => sent.destroy());
  });

const validate = answerValidator("neutral");

/** What is wrong with an answer by the published document. */
function problemsOf(endpoint: Endpoint, { status, headers, text }: RawAnswer): readonly string[] {
  const type = headers["content-type"] ?? "";
  if (text === "") return validate(endpoint, status, null);
  if (/yaml/.test(type)) return validate(endpoint, status, parse(text));
  if (/json|goa/.test(type)) return validate(endpoint, status, JSON.parse(text));
  return /form/.test(type) ? [] : [`an answer of the type ${type}`];
}

describe.each(usualEngines())("two tenants with things of the same names, on $name", async (engine) => {
  const count = REQUESTS[engine.name];
  let tenants: Tenants;
  const harness = await openHarness(engine, "neutral");
  tenants = await settle(harness);
  afterAll(() => harness.close());

  it("B's things say so", async () => {
    const rows = await rowsOf(harness.world.store, tenants.others);
    expect(rows.split(MARK).length).toBeGreaterThan(20);
  });

  it("responses to A do not depend on B, counts and sums included", () => {
    expect(tenants.mixed).toEqual([]);
  });

  it(`none of ${count} requests of A shows or changes anything of B, fails the server, or is answered outside the contract (seed ${seed})`, async () => {
    const before = await rowsOf(harness.world.store, tenants.others);
    const answered = { well: 0, refused: 0 };
    const fire = async ({ request, name, cut }: Shot) => {
      if (cut) return cutOff(harness.world.url, request);
      const answer = await exchange(harness.world.url, request);
      const { status, text } = answer;
      answered[status < 300 ? "well" : "refused"] += 1;
      const said = `${request.method} ${request.target.slice(0, 300)}: ${text.slice(0, 1_000)}`;
      expect(holdsMark(text), said).toBe(false);
      expect(status, said).toBeLessThan(500);
      const endpoint = (contract as Readonly<Record<string, Endpoint>>)[name ?? ""];
      // A server may refuse a target before it knows whose it is.
      const isTooLong = status === 431 && request.target.length > 8_000;
      if (endpoint !== undefined && !isTooLong) expect(problemsOf(endpoint, answer), said).toEqual([]);
    };
    const volley = fc.array(shots(tenants.aims), { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(volley, async (all) => {
        await Promise.all(all.map(fire));
        expect(harness.world.errors).toEqual([]);
      }),
      { numRuns: count / AT_ONCE, seed, endOnFailure: true },
    );
    expect(answered.well).toBeGreaterThan(count / 10);
    expect(answered.refused).toBeGreaterThan(count / 10);
    expect(await rowsOf(harness.world.store, tenants.others)).toBe(before);
  }, 240_000);
});
