import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { contract, endpoints } from "../../src/platform/contract/registry.ts";
import { CASES } from "../platform-operations/all.ts";
import type { OperationCase } from "../platform-operations/case.ts";
import { exchange, type Harness, openHarness } from "../platform-operations/harness.ts";
import { usualEngine } from "../world/engines.ts";
import { ABSENT, ACCEPTED, type Accepted } from "./accepted-differences.ts";
import { CONVENTIONS_DOCUMENT } from "./conventions-document.ts";
import { COST_DOCUMENT } from "./cost-document.ts";
import { differencesOf, PAGE_HEADERS, publishedOf } from "./differences.ts";
import { type Documented, parametersIn } from "./documented-operation.ts";
import { filled, lackingIn, literalRequest, sentByClient } from "./literal-request.ts";
import { PROVISIONING_DOCUMENT } from "./provisioning-document.ts";

const OPERATIONS = [...CONVENTIONS_DOCUMENT, ...COST_DOCUMENT, ...PROVISIONING_DOCUMENT];
const each = OPERATIONS.map((documented) => [documented.at, documented] as const);

const DIFFERENCES = new Map(OPERATIONS.map((documented) => [documented, differencesOf(documented)]));
const differencesIn = (documented: Documented): readonly string[] => DIFFERENCES.get(documented) ?? [];

const isAccepted = (accepted: readonly Accepted[], { at }: Documented, difference: string): boolean =>
  accepted.some(({ of, what }) => of.test(at) && what.test(difference));

/** The contract's endpoint of an operation with its case: what to arrange, and values for its parameters. */
function endpointOf(documented: Documented): { endpoint: Endpoint; one: OperationCase<Endpoint> } {
  const name = publishedOf(documented)?.["operationId"] as keyof typeof contract; // published under the contract's names
  return { endpoint: contract[name], one: CASES[name] as unknown as OperationCase<Endpoint> };
}

/** Names that an operation takes beside the document's, by the differences that are accepted. */
const accepts = (documented: Documented, kind: "needs" | "(?:needs|takes)"): readonly string[] =>
  differencesIn(documented).flatMap((one) => new RegExp(`^query: also ${kind} (\\w+)$`).exec(one)?.[1] ?? []);

/** Parameters that a call needs beside the document's. Where a document shows no parameters at all, all that there are. */
const neededBy = (documented: Documented): readonly string[] =>
  accepts(documented, documented.at.includes("/code/") ? "(?:needs|takes)" : "needs");

const failureLacks = ({ failure }: Documented, text: string): readonly string[] =>
  failure === undefined ? [] : lackingIn("failure", JSON.parse(text), { example: failure, optional: [] });

const answerLacks = ({ answer, optional }: Documented, text: string): readonly string[] =>
  answer === undefined || answer === null
    ? []
    : lackingIn("answer", JSON.parse(text), { example: answer, optional: optional?.split(" ") ?? [] });

describe("the three documents", () => {
  it("describe as many operations as the contract does without our own", () => {
    expect(OPERATIONS).toHaveLength(78);
    expect(new Set(OPERATIONS.map(({ at }) => at)).size).toBe(78);
    expect(endpoints.filter(({ extra }) => extra !== true)).toHaveLength(78);
  });

  it.each(each)(
    "say of %s what is published of it, but for reasons that docs/platform gives",
    (_, documented) => {
      expect(differencesIn(documented).filter((one) => !isAccepted(ACCEPTED, documented, one))).toEqual([]);
    },
  );

  it.each([...ACCEPTED, ...ABSENT].map((one) => [`${one.page}: ${one.because}`, one] as const))(
    "are answered by %s",
    (_, { page, because }) => {
      const text = readFileSync(join(import.meta.dirname, "../../docs/platform", page), "utf8");
      expect(text).toContain(because);
    },
  );

  it.each(ACCEPTED.map((one) => [`${one.of} ${one.what}`, one] as const))(
    "still differ where that is accepted: %s",
    (_, { of, what }) => {
      const matching = OPERATIONS.filter(({ at }) => of.test(at)).flatMap(differencesIn);
      expect(matching.filter((one) => what.test(one)).length).toBeGreaterThan(0);
    },
  );
});

describe("an operation that is called in a document's own words", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(usualEngine(), "neutral");
  });
  afterAll(() => harness.close());

  describe.each(each)("%s", (_, documented) => {
    const { endpoint, one } = endpointOf(documented);
    let stage: Awaited<ReturnType<Harness["stage"]>>;
    let input: LooseInput;
    beforeAll(async () => {
      stage = await harness.stage();
      await one.arrange?.(stage);
      input = typeof one.input === "function" ? await one.input(stage) : one.input;
    });
    afterAll(() => stage.close());

    it("is answered as documented by the embedded platform", async () => {
      const { account, key } = stage;
      const request = literalRequest(documented, input, { account, key, needed: neededBy(documented) });
      const raw = await exchange(harness.world.url, request);
      const { status, answer, paged } = documented;
      expect([raw.text, raw.status]).toEqual([
        raw.text,
        status ?? expect.toSatisfy((code) => code >= 200 && code < 300),
      ]);
      if (answer === null) expect(raw.text).toBe("");
      const lacking = answerLacks(documented, raw.text);
      expect(lacking.filter((one) => !isAccepted(ABSENT, documented, one))).toEqual([]);
      if (paged) expect(Object.keys(raw.headers)).toEqual(expect.arrayContaining(PAGE_HEADERS));
    });

    it("is refused when it lacks what the document requires", async () => {
      const { account, key } = stage;
      const call = { account, key, needed: neededBy(documented) };
      const required = parametersIn(documented.query).filter((one) => one.required);
      for (const { name } of required) {
        const whole = literalRequest(documented, input, call);
        const target = new URL(whole.target, "http://127.0.0.1");
        target.searchParams.delete(name);
        const raw = await exchange(harness.world.url, {
          ...whole,
          target: `${target.pathname}${target.search}`,
        });
        expect([name, raw.status, ...failureLacks(documented, raw.text)]).toEqual([name, 400]);
      }
      const unnamed = literalRequest(documented, input, call);
      const { "x-api-key": _key, ...anonymous } = unnamed.headers;
      const refused = await exchange(harness.world.url, { ...unnamed, headers: anonymous });
      expect([refused.status, ...failureLacks(documented, refused.text)]).toEqual([401]);
    });

    it("is what the client sends, and it reads the document's answer", async () => {
      const { sent, outcome } = await sentByClient(endpoint, input, { stage, documented });
      const [method, path = ""] = documented.at.split(" ");
      expect([sent.method, decodeURIComponent(sent.path)]).toEqual([
        method,
        decodeURIComponent(filled(path, input)),
      ]);
      const names = parametersIn(documented.query).map(({ name }) => name);
      const known = [...names, ...accepts(documented, "(?:needs|takes)")];
      expect([...sent.query.keys()].filter((name) => !known.includes(name))).toEqual([]);
      expect(sent.headers).toMatchObject({ "x-api-key": "pat.token" });
      if (documented.header !== undefined)
        expect(sent.headers[documented.header.toLowerCase()]).toBe(stage.account);
      if (documented.answer !== undefined) expect(outcome).toMatchObject({ ok: true });
    });
  });
});
