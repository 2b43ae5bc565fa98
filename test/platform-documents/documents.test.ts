import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { contract, endpoints } from "../../src/platform/contract/registry.ts";
import { readAnswer } from "../../src/platform/read-answer.ts";
import { answerValidator } from "../platform/openapi-validator.ts";
import { ACCEPTED, type Accepted } from "./accepted-differences.ts";
import { CONVENTIONS_DOCUMENT } from "./conventions-document.ts";
import { COST_DOCUMENT } from "./cost-document.ts";
import { differencesOf, publishedOf } from "./differences.ts";
import type { Documented } from "./documented-operation.ts";
import { PROVISIONING_DOCUMENT } from "./provisioning-document.ts";

const OPERATIONS = [...CONVENTIONS_DOCUMENT, ...COST_DOCUMENT, ...PROVISIONING_DOCUMENT];
const each = OPERATIONS.map((documented) => [documented.at, documented] as const);

const DIFFERENCES = new Map(OPERATIONS.map((documented) => [documented, differencesOf(documented)]));
const differencesIn = (documented: Documented): readonly string[] => DIFFERENCES.get(documented) ?? [];

const isAccepted = (accepted: readonly Accepted[], { at }: Documented, difference: string): boolean =>
  accepted.some(({ of, what }) => of.test(at) && what.test(difference));

/** The contract's endpoint of an operation. */
const endpointOf = (documented: Documented): Endpoint =>
  contract[publishedOf(documented)?.["operationId"] as keyof typeof contract]; // published under the contract's names

const validate = answerValidator();

describe("the three documents", () => {
  it("describe as many operations as the contract does without our own", () => {
    expect(OPERATIONS).toHaveLength(78);
    expect(new Set(OPERATIONS.map(({ at }) => at)).size).toBe(78);
    expect(endpoints.filter(({ extra }) => extra !== true)).toHaveLength(78);
  });

  it.each(each)(
    "say of %s what is published of it, but for reasons that docs/platform-reference.md gives",
    (_, documented) => {
      expect(differencesIn(documented).filter((one) => !isAccepted(ACCEPTED, documented, one))).toEqual([]);
    },
  );

  it.each(each.filter(([, { answer }]) => answer !== undefined))(
    "show an answer to %s that is one by what is published, and that the client reads",
    (_, documented) => {
      const { answer, status } = documented;
      const endpoint = endpointOf(documented);
      expect([status ?? endpoint.status, validate(endpoint, endpoint.status, answer)]).toEqual([
        endpoint.status,
        [],
      ]);
      const body = Buffer.from(answer === null ? "" : JSON.stringify(answer));
      expect(readAnswer(endpoint, { status: endpoint.status, headers: {}, body }, 0)).toMatchObject({
        ok: true,
      });
    },
  );

  it.each(ACCEPTED.map((one) => [one.because, one] as const))(
    "are answered by %s",
    (_, { page = "platform-reference.md", because }) => {
      const text = readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");
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
