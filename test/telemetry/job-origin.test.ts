import { expect, it } from "vitest";
import { mergeOrigins } from "../../src/telemetry/job-origin.ts";

it("a job that replaces a waiting one counts from the oldest delivery and links to the replaced span", () => {
  const first = { receivedAtMs: 1_000, delivery: "d1", traceparent: "00-a-1-01" };
  const second = { receivedAtMs: 2_000, delivery: "d2", traceparent: "00-b-2-01" };
  const both = mergeOrigins(second, first);
  expect(both).toEqual({ ...second, receivedAtMs: 1_000, links: ["00-a-1-01"] });
  const third = mergeOrigins({ receivedAtMs: null }, both);
  expect(third).toEqual({ receivedAtMs: 1_000, delivery: "d2", links: ["00-a-1-01", "00-b-2-01"] });
});

it("a job that replaces fifty others names the newest thirty-two of them", () => {
  let merged = mergeOrigins({ receivedAtMs: 1 }, { receivedAtMs: 0, traceparent: "span 0" });
  for (let index = 1; index < 50; index++)
    merged = mergeOrigins({ receivedAtMs: 1, traceparent: `span ${index}` }, merged);
  expect(merged.links?.length).toBe(32);
  expect(merged.links?.at(-1)).toBe("span 48");
});
