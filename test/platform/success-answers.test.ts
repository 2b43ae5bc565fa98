import nock from "nock";
import { expect, test } from "vitest";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { contract } from "../../src/platform/contract/registry.ts";
import { closeNetwork } from "../world/network.ts";
import { createRig } from "./client-for-test.ts";

const HOST = "http://platform.test";
const one = { recommendationId: "r" };
const OPERATIONS: readonly [Endpoint, LooseInput][] = [
  [contract.deleteUnitMetric, { query: { identifier: "m", deleteCompleteMetric: true } }],
  [contract.overrideSavings, { query: { ...one, overriddenSavings: 5 } }],
  [contract.changeRecommendationState, { query: { ...one, state: "OPEN" } }],
  [contract.changeInferenceStatus, { body: { ...one, verificationStatus: "INFERRED_APPLIED" } }],
  [contract.updateAnomalyFeedback, { query: { anomalyId: "a", feedback: "TRUE_ANOMALY" } }],
  [contract.updateAnomalyStatus, { query: { anomalyId: "a", status: "ACTIVE" } }],
];

closeNetwork();

test.each(
  OPERATIONS.flatMap(([endpoint, input]) =>
    [{ status: "SUCCESS" }, { status: "SUCCESS", data: null }, { status: "SUCCESS", data: true }, true].map(
      (body) => ({ name: `${endpoint.area} ${endpoint.operation}`, body, endpoint, input }),
    ),
  ),
)("$name may answer $body", async ({ endpoint, input, body }) => {
  nock(HOST).intercept(/./, endpoint.method).reply(200, JSON.stringify(body));
  const outcome = await createRig(HOST).client.call<Endpoint>(endpoint, input);
  expect(outcome).toMatchObject({ ok: true, value: { status: "SUCCESS" } });
});
