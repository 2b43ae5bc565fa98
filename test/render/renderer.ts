import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { createRenderer } from "../../src/render/renderer.ts";
import { templates } from "./evaluation-builder.ts";

export const renderer = createRenderer(templates());

/** The comment without links, and without a Re-check button. */
export const comment = (evaluation: Evaluation): string =>
  renderer.comment(evaluation, { details: null, recheckHint: false });
