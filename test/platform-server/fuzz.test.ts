import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Endpoint, listErrorStatuses } from "../../src/platform/contract/endpoint.ts";
import { contract } from "../../src/platform/contract/registry.ts";
import { answerValidator } from "../platform/openapi-validator.ts";
import { CASES } from "../platform-operations/all.ts";
import type { OperationCase } from "../platform-operations/case.ts";
import { exchange, type Harness, openHarness, type RawAnswer } from "../platform-operations/harness.ts";
import type { LooseRequest } from "../platform-operations/harness-loose.ts";
import { casesToTry } from "../world/depth.ts";
import { usualEngines } from "../world/engines.ts";
import { type Aim, type Shot, shots } from "./fuzz-requests.ts";

const AT_ONCE = 20;
/** Of the embedded engine, which most run; the other one gets a share. */
const REQUESTS = {
  embedded: casesToTry({ usual: 2_000, deep: 10_000 }),
  postgres: casesToTry({ usual: 200, deep: 1_000 }),
};
/** Another run of the same requests: FUZZ_SEED=… vitest run test/platform-server/fuzz.test.ts */
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);

/** An endpoint with its case's stage set in an account of its own, and the input that it answers well. */
async function aimAt(harness: Harness, name: keyof typeof contract): Promise<Aim> {
  const one = CASES[name] as unknown as OperationCase<Endpoint>; // of this very endpoint
  const stage = await harness.stage();
  await one.arrange?.(stage);
  const given = one.input;
  const input = typeof given === "function" ? await given(stage) : given;
  await stage.close();
  const { account, key } = stage;
  return { name, endpoint: contract[name], input, account, key, dialect: harness.dialect };
}

/** Ends the connection in the middle of the body; no answer is waited for. */
const cutOff = (base: string, { method, target, headers, body }: LooseRequest): Promise<void> =>
  new Promise((resolve) => {
    const sent = httpRequest(base + target, { method, headers, agent: false });
    sent.on("error", () => {}).on("close", resolve);
    sent.write(body ?? "", () => sent.destroy());
  });

describe.each(usualEngines())("generated requests on $name", async (engine) => {
  const count = REQUESTS[engine.name];
  const validate = answerValidator("neutral");
  const statuses = new Map<string, number>();
  const aims: Aim[] = [];
  const harness = await openHarness(engine, "neutral");
  for (const name of Object.keys(contract) as (keyof typeof contract)[])
    aims.push(await aimAt(harness, name));
  afterAll(() => harness.close());

  async function fire({ request, name, cut }: Shot): Promise<void> {
    if (cut) return cutOff(harness.world.url, request);
    const answer = await exchange(harness.world.url, request);
    expect(answer.status, answer.text).toBeLessThan(500);
    const endpoint = (contract as Readonly<Record<string, Endpoint>>)[name ?? ""];
    // A server may refuse a target before it knows whose it is.
    const isTooLong = answer.status === 431 && request.target.length > 8_000;
    if (endpoint === undefined || isTooLong) return;
    const key = `${endpoint.operation} ${answer.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    expect(problemsOf(endpoint, answer), `${request.method} ${request.target.slice(0, 300)}`).toEqual([]);
  }

  function problemsOf(endpoint: Endpoint, { status, headers, text }: RawAnswer): readonly string[] {
    const type = headers["content-type"] ?? "";
    if (text === "") return validate(endpoint, status, null);
    if (/yaml/.test(type)) return validate(endpoint, status, parse(text));
    if (/json|goa/.test(type)) return validate(endpoint, status, JSON.parse(text));
    return /form/.test(type) ? [] : [`an answer of the type ${type}`];
  }

  const isMissed = ({ endpoint: { operation, status } }: Aim) => !statuses.has(`${operation} ${status}`);

  const isUnseen = (status: number) => ![...statuses.keys()].some((key) => key.endsWith(` ${status}`));

  /** The same requests, of one operation only, as long as `isWanted`; in a new account, for one that came by may have deleted what it finds. */
  async function insist({ name }: Aim, isWanted: () => boolean): Promise<void> {
    if (!isWanted()) return;
    const aim = await aimAt(harness, name);
    for (const shot of fc.sample(shots([aim]), { seed, numRuns: 500 })) {
      if (!isWanted()) return;
      await fire(shot);
    }
  }

  it(`none of ${count} fails the server, hangs, or is answered outside the contract (seed ${seed})`, async () => {
    const volley = fc.array(shots(aims), { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(volley, async (all) => {
        await Promise.all(all.map(fire));
        expect(harness.world.errors).toEqual([]);
      }),
      { numRuns: count / AT_ONCE, seed, endOnFailure: true },
    );
    // In a few hundred each operation has its turn a few times, and often one is refused each time.
    if (engine.name !== "embedded") return;
    for (const aim of aims.filter(isMissed)) await insist(aim, () => isMissed(aim));
    const missed = aims.filter(isMissed).map(({ endpoint }) => `${endpoint.area} ${endpoint.operation}`);
    expect(missed).toEqual([]);
    const refusals = [400, 401, 404, 409, 415] as const;
    for (const status of refusals.filter(isUnseen))
      for (const aim of aims.filter(({ endpoint }) => listErrorStatuses(endpoint).includes(status)))
        await insist(aim, () => isUnseen(status));
    expect(refusals.filter(isUnseen)).toEqual([]);
  }, 180_000);
});
