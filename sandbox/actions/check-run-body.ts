import { z } from "zod";
import type { CheckAnnotation, CheckConclusion, CheckRun } from "../state/checks.ts";

/** GitHub's limits, in characters. */
const MAX_SUMMARY = 65_535;
const MAX_ANNOTATIONS = 50;
const MAX_ACTIONS = 3;

const Annotation = z.object({
  path: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  start_column: z.number().int().optional(),
  end_column: z.number().int().optional(),
  annotation_level: z.enum(["notice", "warning", "failure"]),
  message: z.string().max(65_536),
  title: z.string().max(255).optional(),
  raw_details: z.string().max(65_536).optional(),
});

const Output = z.object({
  title: z.string().optional(),
  summary: z.string().max(MAX_SUMMARY),
  text: z.string().max(MAX_SUMMARY).nullish(),
  annotations: z.array(Annotation).max(MAX_ANNOTATIONS).optional(),
});

const Action = z.object({
  label: z.string().max(20),
  description: z.string().max(40),
  identifier: z.string().max(20),
});

const CONCLUSIONS = [
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
] as const satisfies readonly CheckConclusion[];

/** A change of a run. A conclusion completes it; completing it requires a conclusion. */
export const CheckRunChange = z
  .object({
    name: z.string().min(1).optional(),
    details_url: z.url({ protocol: /^https?$/ }).nullish(),
    external_id: z.string().nullish(),
    status: z.enum(["queued", "in_progress", "completed"]).optional(),
    started_at: z.iso.datetime({ offset: true }).optional(),
    completed_at: z.iso.datetime({ offset: true }).optional(),
    conclusion: z.enum(CONCLUSIONS).optional(),
    output: Output.optional(),
    actions: z.array(Action).max(MAX_ACTIONS).optional(),
  })
  .refine((body) => body.status !== "completed" || body.conclusion !== undefined, {
    path: ["conclusion"],
    message: "a completed check run needs a conclusion",
  });

export const NewCheckRunBody = z.intersection(
  CheckRunChange,
  z.object({ name: z.string().min(1), head_sha: z.string() }),
);

type CheckRunFields = Omit<CheckRun, "id" | "suiteId">;

/** Returns a run's change by a body; new annotations are appended. */
export function buildCheckRunUpdate(
  body: z.infer<typeof CheckRunChange>,
  at: { run: CheckRunFields; now: number },
): Partial<CheckRunFields> {
  const { run } = at;
  return {
    name: body.name ?? run.name,
    detailsUrl: body.details_url === undefined ? run.detailsUrl : body.details_url,
    externalId: body.external_id === undefined ? run.externalId : body.external_id,
    startedAt: body.started_at === undefined ? run.startedAt : Date.parse(body.started_at),
    output: buildOutput(body.output, run),
    annotations: [...run.annotations, ...(body.output?.annotations ?? []).map(buildAnnotation)],
    actions: body.actions ?? run.actions,
    ...buildProgress(body, at),
    ...(body.completed_at === undefined ? {} : { completedAt: Date.parse(body.completed_at) }),
  };
}

function buildProgress(
  body: z.infer<typeof CheckRunChange>,
  at: { run: CheckRunFields; now: number },
): Pick<CheckRunFields, "status" | "conclusion" | "completedAt"> {
  if (body.conclusion !== undefined) {
    return { status: "completed", conclusion: body.conclusion, completedAt: at.now };
  }
  if (body.status === undefined) {
    return { status: at.run.status, conclusion: at.run.conclusion, completedAt: at.run.completedAt };
  }
  return { status: body.status, conclusion: null, completedAt: null };
}

function buildOutput(output: z.infer<typeof Output> | undefined, run: CheckRunFields): CheckRun["output"] {
  if (output === undefined) return run.output;
  return {
    title: output.title ?? run.output.title,
    summary: output.summary,
    text: output.text === undefined ? run.output.text : output.text,
  };
}

const buildAnnotation = (body: z.infer<typeof Annotation>): CheckAnnotation => ({
  path: body.path,
  startLine: body.start_line,
  endLine: body.end_line,
  startColumn: body.start_column ?? null,
  endColumn: body.end_column ?? null,
  level: body.annotation_level,
  message: body.message,
  title: body.title ?? null,
  rawDetails: body.raw_details ?? null,
});
