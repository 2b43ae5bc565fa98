import { expect, it } from "vitest";
import { createRenderer } from "../../src/render/renderer.ts";
import {
  changes,
  evaluation,
  finding,
  judged,
  module,
  report,
  resource,
  row,
  stage,
  templates,
} from "./evaluation-builder.ts";

const times = <T>(n: number, make: (index: number) => T): T[] =>
  Array.from({ length: n }, (_, index) => make(index));

it("renders 10,000 resources, 5,000 modules and 100,000 rows within 150 ms", () => {
  const large = evaluation({
    report: report([stage("a", ["0", "50005000"]), stage("b", ["10.004", "10.004"])], {
      modules: times(5_000, (i) => module(`m${i}`, `${5_000 - i}.123`)),
      resources: times(10_000, (i) =>
        resource(`module.m${i}.aws_instance.this[${i}]`, `${10_000 - i}.017`, { workspace: "a" }),
      ),
      changes: changes({ added: 100_000, deleted: 50_000 }),
      rows: times(100_000, (i) => row(i < 50_000 ? "deleted" : "drifted", `aws_instance.i${i}`, "a")),
    }),
    situation: judged(
      "block",
      times(100, (i) =>
        finding("per-module", { per: "module", subject: `m${i}`, others: i === 99 ? 4_900 : 0 }),
      ),
    ),
  });
  const renderer = createRenderer(templates());
  const links = { details: null, recheckHint: false };
  const fastest = Math.min(
    ...times(5, () => {
      const from = performance.now();
      const { summary } = renderer.check(large, links);
      const comment = renderer.comment(large, links);
      expect(`${summary}${comment}`).toContain("and 4,990 more");
      return performance.now() - from;
    }),
  );
  expect(fastest).toBeLessThan(150);
});
