import { expect, it } from "vitest";
import { formatOneShotId, parseOneShotApprovable } from "../../src/evaluate/comment-content.ts";
import {
  computeAnnotationsDigest,
  formatRunId,
  NO_ANNOTATIONS,
} from "../../src/github/checks/publish-check.ts";
import { evaluation } from "../render/evaluation-builder.ts";

const APPROVABLE = { evaluatedMs: 1_770_000_000_000, approvableDigest: "b".repeat(32) };
const ANNOTATION = { path: "main.tf", line: 1, level: "failure", title: "rule", message: "text" } as const;

it.each([
  ["without annotations", NO_ANNOTATIONS],
  ["with annotations", computeAnnotationsDigest([ANNOTATION])],
])("the next CI job reads from a check %s since when its findings could be approved", (_, annotations) => {
  const evaluated = { ...evaluation({ situation: { kind: "nothing_expected" } }), ...APPROVABLE };
  const id = formatRunId(formatOneShotId("a".repeat(32), evaluated), annotations);
  expect(parseOneShotApprovable(id, evaluated.pull.baseRef)).toEqual(APPROVABLE);
  expect(parseOneShotApprovable(id, "another")).toEqual({});
});
