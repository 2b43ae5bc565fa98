import {
  findCommitAddress,
  findDetailsAddress,
  findExecutionAddress,
  findPolicyFileAddress,
} from "../addresses.ts";
import { formatLink, formatName } from "../escape.ts";
import { formatPullNumbers, SHA_DIGITS, shortenId } from "../format.ts";
import type { Section, SectionSource } from "./section.ts";

const MAX_EXECUTIONS = 4;
const MAX_SUPERSEDED = 3;

/** The section about the sources of figures and rules; short enough to be always included. */
export const buildProvenanceSection = (source: SectionSource): Section => ({
  template: "provenance",
  isRequired: true,
  view: () => buildProvenanceView(source),
});

function buildProvenanceView({ evaluation, links }: SectionSource) {
  const { pull, report, policySources, foreignChecks, unshared } = evaluation;
  const executions = [...Map.groupBy(report.stages, ({ executionId }) => executionId)].flatMap(
    ([id, [first]]) => (first === undefined ? [] : [{ id, source: first.source }]),
  );
  const superseded = [...new Set(report.stages.flatMap((stage) => stage.superseded))];
  const areFiles = executions.length > 0 && executions.every(({ source }) => source === "file");
  return {
    // Local files have no commit.
    head: areFiles
      ? null
      : formatLink(formatName(pull.headSha.slice(0, SHA_DIGITS)), findCommitAddress(evaluation, links)),
    base: formatName(pull.baseRef),
    below: formatPullNumbers((pull.stack?.below ?? []).map(({ number }) => number)),
    executions: executions.slice(0, MAX_EXECUTIONS).map(({ id, source }, at, shown) => ({
      id: formatLink(formatName(shortenId(id)), findExecutionAddress(report, id)),
      source,
      more: shown[at + 1]?.source === source, // the same source is shown once
    })),
    moreExecutions: Math.max(0, executions.length - MAX_EXECUTIONS),
    nothingToPlan: (report.nothingToPlan ?? []).slice(0, MAX_EXECUTIONS).map(({ workspace, by }) => ({
      workspace: formatName(workspace),
      by: formatName(by),
    })),
    moreUnplanned: Math.max(0, (report.nothingToPlan?.length ?? 0) - MAX_EXECUTIONS),
    superseded: superseded.slice(0, MAX_SUPERSEDED).map((id) => ({ id: formatName(shortenId(id)) })),
    moreSuperseded: Math.max(0, superseded.length - MAX_SUPERSEDED),
    policies: policySources.map((source) => {
      const { repository, path } = source;
      const name = repository === pull.repository ? path : `${repository}/${path}`;
      return { path: formatLink(formatName(name), findPolicyFileAddress(links, source)) };
    }),
    foreign: foreignChecks.slice(0, MAX_SUPERSEDED).map((poster) => ({ poster: formatName(poster) })),
    unshared: unshared && { name: formatName(unshared.name), because: unshared.because },
    details: findDetailsAddress(links),
  };
}
