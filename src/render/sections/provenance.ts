import type { EvaluatedPull } from "../../policy/model/evaluation.ts";
import type { PolicySource } from "../../policy/model/situation.ts";
import type { BindingSource } from "../../report/model/stage-origin.ts";
import { type Inline, linked, name } from "../markup/escape.ts";
import { commitAddress, executionAddress, policyFileAddress } from "./addresses.ts";
import type { Section, Subject } from "./section.ts";

interface Execution {
  readonly id: Inline;
  readonly source: BindingSource;
}

interface ExecutionView extends Execution {
  /** True: the next entry has the same source, which is shown once. */
  readonly more: boolean;
}

const EXECUTIONS = 4;
const SUPERSEDED = 3;
/** Number of shown hex digits of a commit or blob. */
const SHORT = 8;

/**
 * The section about the sources of figures and rules; short enough to be always included. Local files have no
 * commit.
 */
export function provenanceSection(subject: Subject): Section {
  const { evaluation, links } = subject;
  const { pull, report, policySources, foreignChecks } = evaluation;
  const executions = listExecutions(subject);
  const superseded = [...new Set(report.stages.flatMap((stage) => stage.superseded))];
  const fromFiles = executions.length > 0 && executions.every(({ source }) => source === "file");
  return {
    template: "provenance",
    rows: 0,
    keep: true,
    view: () => ({
      head: fromFiles
        ? null
        : linked(name(pull.headSha.slice(0, SHORT)), commitAddress(subject, pull.headSha)),
      base: name(pull.baseRef),
      executions: executions.slice(0, EXECUTIONS).map(sayingOnce),
      moreExecutions: Math.max(0, executions.length - EXECUTIONS),
      superseded: superseded.slice(0, SUPERSEDED).map((id) => ({ id: name(id) })),
      moreSuperseded: Math.max(0, superseded.length - SUPERSEDED),
      policies: policySources.map((source) => ({
        path: linked(name(pathOf(source, pull)), policyFileAddress(subject, source)),
        blob: name(source.blob.slice(0, SHORT)),
      })),
      foreign: foreignChecks.slice(0, SUPERSEDED).map((poster) => ({ poster: name(poster) })),
      details: links.details,
    }),
  };
}

const pathOf = ({ repository, path }: PolicySource, pull: EvaluatedPull): string =>
  repository === pull.repository ? path : `${repository}/${path}`;

const sayingOnce = (
  { id, source }: Execution,
  index: number,
  shown: readonly Execution[],
): ExecutionView => ({ id, source, more: shown[index + 1]?.source === source });

function listExecutions(subject: Subject): Execution[] {
  const byId = new Map<string, Execution>();
  for (const { executionId, source } of subject.evaluation.report.stages) {
    if (byId.has(executionId)) continue;
    const id = linked(name(executionId), executionAddress(subject, executionId));
    byId.set(executionId, { id, source });
  }
  return [...byId.values()];
}
