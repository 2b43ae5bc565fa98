import { expect, it } from "vitest";
import { createMetricRegistry } from "../../src/wiring/telemetry/metric-registry.ts";

it("a label with endless values makes no endless series, and every value counts", async () => {
  const registry = createMetricRegistry();
  for (let index = 0; index < 1_000; index++)
    registry.count("tollgate_github_calls_total", { route: `route "${index}"\n`, outcome: "ok" });
  const { text } = await registry.render([]);
  const series = text.split("\n").filter((line) => line.startsWith("tollgate_github_calls_total{"));
  expect(series.length).toBe(501);
  expect(series.at(-1)).toBe('tollgate_github_calls_total{route="other",outcome="other"} 500');
  registry.close();
});
