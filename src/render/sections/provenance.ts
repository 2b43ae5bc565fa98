import type { EvaluatedPull } from "../../policy/model/evaluation.ts";
import type { PolicySource } from "../../policy/model/situation.ts";
import type { BindingSource } from "../../report/model/stage-origin.ts";
import { formatLink, formatName, type Inline } from "../escape.ts";
import { findCommitAddress, findExecutionAddress, findPolicyFileAddress } from "./resources.ts";
import type { Section, Subject } from "./section.ts";

interface ExecutionReference {
  readonly id: Inline;
  readonly source: BindingSource;
}

interface ExecutionView extends ExecutionReference {
  /** True: the next entry has the same source, which is shown once. */
  readonly more: boolean;
}

const MAX_EXECUTIONS = 4;
const MAX_SUPERSEDED = 3;
/** Number of shown hex digits of a commit or blob. */
const SHA_DIGITS = 8;

/**
 * The section about the sources of figures and rules; short enough to be always included. Local files have no
 * commit.
 */
export function buildProvenanceSection(subject: Subject): Section {
  const { evaluation, links } = subject;
  const { pull, report, policySources, foreignChecks, unshared } = evaluation;
  const executions = listExecutions(subject);
  const superseded = [...new Set(report.stages.flatMap((stage) => stage.superseded))];
  const fromFiles = executions.length > 0 && executions.every(({ source }) => source === "file");
  return {
    template: "provenance",
    rows: 0,
    isRequired: true,
    view: () => ({
      head: fromFiles
        ? null
        : formatLink(formatName(pull.headSha.slice(0, SHA_DIGITS)), findCommitAddress(subject, pull.headSha)),
      base: formatName(pull.baseRef),
      below: (pull.stack?.below ?? []).map(({ number }) => `#${number}`).join(", "),
      executions: executions.slice(0, MAX_EXECUTIONS).map(buildExecutionView),
      moreExecutions: Math.max(0, executions.length - MAX_EXECUTIONS),
      superseded: superseded.slice(0, MAX_SUPERSEDED).map((id) => ({ id: formatName(id) })),
      moreSuperseded: Math.max(0, superseded.length - MAX_SUPERSEDED),
      policies: policySources.map((source) => ({
        path: formatLink(formatName(formatPolicyPath(source, pull)), findPolicyFileAddress(subject, source)),
        blob: formatName(source.blob.slice(0, SHA_DIGITS)),
      })),
      foreign: foreignChecks.slice(0, MAX_SUPERSEDED).map((poster) => ({ poster: formatName(poster) })),
      unshared: unshared && { name: formatName(unshared.name), because: unshared.because },
      details: links.details,
    }),
  };
}

const formatPolicyPath = ({ repository, path }: PolicySource, pull: EvaluatedPull): string =>
  repository === pull.repository ? path : `${repository}/${path}`;

const buildExecutionView = (
  { id, source }: ExecutionReference,
  index: number,
  executions: readonly ExecutionReference[],
): ExecutionView => ({ id, source, more: executions[index + 1]?.source === source });

function listExecutions(subject: Subject): ExecutionReference[] {
  const byId = new Map<string, ExecutionReference>();
  for (const { executionId, source } of subject.evaluation.report.stages) {
    if (byId.has(executionId)) continue;
    const id = formatLink(formatName(executionId), findExecutionAddress(subject, executionId));
    byId.set(executionId, { id, source });
  }
  return [...byId.values()];
}
