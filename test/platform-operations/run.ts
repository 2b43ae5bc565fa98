import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import {
  type Endpoint,
  type ErrorStatus,
  type LooseInput,
  listErrorStatuses,
} from "../../src/platform/contract/endpoint.ts";
import type { DialectName } from "../../src/platform/contract/wire/translate.ts";
import { getFailureKind } from "../../src/platform/errors.ts";
import { readAnswer } from "../../src/platform/read-answer.ts";
import { readForm } from "../../src/platform-server/http/form.ts";
import { usualEngine } from "../world/engines.ts";
import type { ErrorCase, NeverAnswered, OperationCase, OperationCases } from "./case.ts";
import { type Harness, type LiveStage, type ObservedCall, openHarness, type RawAnswer } from "./harness.ts";
import { publishedLimits } from "./harness-limits.ts";
import { withValueAt } from "./harness-loose.ts";

/** A case as the harness sees it: which endpoint it is for is known at run time only. */
type AnyCase = OperationCase<Endpoint>;
type Part = Readonly<Record<string, Endpoint>>;

interface Play {
  readonly endpoint: Endpoint;
  readonly one: AnyCase;
  /** Of the dialect that is being played. */
  harness(): Harness;
}

const DIALECTS: readonly DialectName[] = ["neutral", "live"];

/** Plays every case of a part of the contract in both dialects: client, socket, embedded platform. */
export function playOperations<C extends Part>(part: C, cases: OperationCases<C>): void {
  describe.each(DIALECTS)("in the words of the %s dialect", (dialect) => {
    let opened: Harness | null = null;
    const harness = () => {
      if (opened === null) throw new Error("it is opened before the first test");
      return opened;
    };
    beforeAll(async () => {
      opened = await openHarness(usualEngine(), dialect);
    });
    afterAll(() => opened?.close());
    for (const [name, endpoint] of Object.entries(part)) {
      const one = (cases as Readonly<Record<string, unknown>>)[name] as AnyCase | undefined; // the types demand each
      describe(name, () => {
        if (one === undefined) test("has a case", () => expect.fail(`${name} has no operation case`));
        else play({ endpoint, one, harness }, dialect);
      });
    }
  });
}

function play(all: Play, dialect: DialectName): void {
  const { endpoint, one } = all;
  test("succeeds", () => succeeds(all));
  for (const status of listErrorStatuses(endpoint)) playError(all, status);
  if (dialect !== "neutral" && !inject("isDeep")) return; // formats, guards and limits know no dialect
  if (endpoint.api !== "tollgate")
    for (const type of FORMATS) test(`says the same in ${type}`, () => speaks(all, type));
  test("lets nobody in without a token, nor with another account's", () => guards(all));
  if (endpoint.body !== undefined)
    test("refuses bodies too large or of another kind", () => refusesBodies(all));
  test("refuses what is outside its limits, and nothing changes by it", () => refusesBeyond(all));
  for (const { at, good = [] } of one.limits ?? [])
    for (const value of good) test(`takes ${at} = ${brief(value)}`, () => takes(all, at, value));
}

function playError(all: Play, status: ErrorStatus): void {
  const errors = all.one.errors as Readonly<Record<number, ErrorCase<Endpoint> | NeverAnswered>>; // by any status
  const given = errors[status];
  if (given === undefined) {
    if (SHOWN_BY_HARNESS.includes(status)) return;
    test(`answers ${status}`, () => expect.fail(`there is no case of the declared status ${status}`));
  } else if (!("never" in given)) {
    test(`answers ${status}`, () => answersWith(all, status, given));
  }
}

/** The harness shows the first ones of every endpoint; the others are those of a service in front, which `failures.test.ts` tells. */
const SHOWN_BY_HARNESS: readonly ErrorStatus[] = [400, 401, 403, 413, 415, 408, 429, 499, 500, 502];

async function onStage(
  { one, harness }: Play,
  work: (stage: LiveStage, input: LooseInput) => Promise<void>,
  given: Pick<AnyCase, "arrange" | "input"> = one,
): Promise<void> {
  const stage = await harness().stage();
  try {
    await (given.arrange ?? one.arrange)?.(stage);
    const input = typeof given.input === "function" ? await given.input(stage) : given.input;
    await work(stage, input);
  } finally {
    await stage.close();
  }
}

const succeeds = (all: Play) =>
  onStage(all, async (stage, input) => {
    const shown = await stage.attempt(all.endpoint, input);
    expectSuccess(all, shown);
    if (shown.outcome.ok) await all.one.expect(shown.outcome.value as never, stage); // the client read it by the endpoint's schema
  });

function expectSuccess({ endpoint, harness }: Play, { outcome, raw }: ObservedCall): void {
  expect(outcome, raw.text.slice(0, 500)).toMatchObject({ ok: true });
  expect(raw.status).toBe(endpoint.status);
  harness().judge(endpoint, raw);
  expect(harness().world.errors).toEqual([]);
}

const answersWith = (all: Play, status: ErrorStatus, given: ErrorCase<Endpoint>) =>
  onStage(
    all,
    async (stage, input) => {
      const shown = await stage.attempt(all.endpoint, input);
      expectFailure(all, shown, status);
      const failed = shown.outcome.ok ? null : shown.outcome.failure;
      if (given.says !== undefined) expect(failed?.message).toContain(given.says);
      if (given.code !== undefined) expect(failed?.code).toBe(given.code);
    },
    given,
  );

function expectFailure(
  { endpoint, harness }: Play,
  { outcome, raw }: ObservedCall,
  status: ErrorStatus,
): void {
  expect(raw.status, raw.text.slice(0, 500)).toBe(status);
  expect(outcome).toMatchObject({ ok: false, failure: { status, kind: getFailureKind(status) } });
  harness().judge(endpoint, raw);
  expect(harness().world.errors).toEqual([]);
}

/** Document 1, section 1: a request may be sent in any of these, and its answer is in the same format. */
const FORMATS = ["application/yaml", "multipart/form-data", "application/x-www-form-urlencoded"] as const;

const speaks = (all: Play, type: (typeof FORMATS)[number]) =>
  onStage(all, async (stage, input) => {
    const { endpoint, one, harness } = all;
    const raw = await stage.written(endpoint, input, type);
    expect(raw.status, raw.text.slice(0, 500)).toBe(endpoint.status);
    if (endpoint.response === "empty") return;
    expect(raw.headers["content-type"]).toContain(answeredTo(endpoint, type));
    const text = JSON.stringify(await readBack(endpoint.response, raw));
    harness().judge(endpoint, { ...raw, text });
    const outcome = readAnswer(endpoint, { ...raw, body: Buffer.from(text) }, 0);
    expect(outcome).toMatchObject({ ok: true });
    if (outcome.ok) await one.expect(outcome.value as never, stage); // it was read by the endpoint's schema
  });

/** A form is answered only to a form. */
const answeredTo = ({ body }: Endpoint, type: (typeof FORMATS)[number]): string =>
  type === "application/yaml" || (body !== undefined && body !== "bytes") ? type : "application/json";

/** What an answer in any format says. */
async function readBack(schema: z.ZodType, { headers, text }: RawAnswer): Promise<unknown> {
  const contentType = headers["content-type"] ?? "";
  if (contentType.startsWith("application/json")) return JSON.parse(text);
  if (contentType.startsWith("application/yaml")) return parse(text);
  const form = await new Response(text, { headers: { "content-type": contentType } }).formData();
  const fields = [...form].map(([name, value]): [string, string] => [name, `${value}`]);
  return { ...nulls(schema), ...(readForm(schema, fields) as object) };
}

/** Members that a form leaves out because they are null. */
const nulls = (schema: z.ZodType): object =>
  schema instanceof z.ZodObject
    ? Object.fromEntries(
        Object.entries(schema.shape)
          .filter(([, member]) => member.safeParse(null).success)
          .map(([name]) => [name, null]),
      )
    : {};

const guards = (all: Play) =>
  onStage(all, async (stage, input) => {
    const { endpoint, harness } = all;
    const without = await stage.strange(endpoint, input, { "x-api-key": "" });
    expectFailure(all, without, 401);
    const other = await harness().stage();
    await other.close();
    expectFailure(all, await stage.strange(endpoint, input, { "x-api-key": other.key }), 403);
  });

const refusesBodies = (all: Play) =>
  onStage(all, async (stage, input) => {
    const { endpoint } = all;
    const large = { "content-length": "1000000000" };
    expectFailure(all, await stage.strange(endpoint, input, large), 413);
    const text = { "content-type": "text/plain" };
    expectFailure(all, await stage.strange(endpoint, input, text), 415);
  });

const refusesBeyond = (all: Play) =>
  onStage(all, async (stage, input) => {
    const { endpoint, one } = all;
    for (const { at, bad = [], status = 400 } of [
      ...publishedLimits(endpoint, input),
      ...(one.limits ?? []),
    ]) {
      for (const value of bad) {
        const shown = await stage.strange(endpoint, withValueAt(input, at, value));
        expect(`${at} = ${brief(value)}: ${shown.raw.status}`, shown.raw.text.slice(0, 500)).toBe(
          `${at} = ${brief(value)}: ${status}`,
        );
        expectFailure(all, shown, status);
      }
    }
    const shown = await stage.attempt(endpoint, input);
    expectSuccess(all, shown);
    if (shown.outcome.ok) await one.expect(shown.outcome.value as never, stage); // the client read it by the endpoint's schema
  });

const takes = (all: Play, at: string, value: unknown) =>
  onStage(all, async (stage, input) => {
    expectSuccess(all, await stage.strange(all.endpoint, withValueAt(input, at, value)));
  });

const brief = (value: unknown): string => {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length})` : text;
};
