import { createLazyObject } from "../../report/lazy-object.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";

/** The names that a scope can match inside of stages. Each list is collected on first use, for all rules together. */
export interface PartNames {
  /** Lists the module names in these stages, each once. */
  listModules(stages: readonly StageReport[]): readonly string[];
  /** Lists the resource types in these stages, each once; empty text: an unstated type. */
  listResourceTypes(stages: readonly StageReport[]): readonly string[];
}

type NamesByStage = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects the names from the cost blocks and from priced, usage-based and changed resources of a report. */
export function createPartNames(report: Report): PartNames {
  const { rows, resources, usageBased = [] } = report;
  const collect = (
    getStated: (stage: StageReport) => readonly string[],
    getName: (part: { readonly module: string; readonly type: string }) => string,
  ): NamesByStage => {
    const names = new Map(
      report.stages.map((stage) => [buildStageKey(stage), new Set(getStated(stage))] as const),
    );
    for (const list of [rows, resources, usageBased])
      for (const part of list) names.get(part.stage)?.add(getName(part));
    return names;
  };
  const names = createLazyObject<{ readonly modules: NamesByStage; readonly types: NamesByStage }>({
    modules: () =>
      collect(
        (stage) => stage.modules?.map(({ module }) => module) ?? [],
        ({ module }) => module,
      ),
    types: () => collect(listStatedTypes, ({ type }) => type),
  });
  return {
    listModules: (stages) => unite(names.modules, stages),
    listResourceTypes: (stages) => unite(names.types, stages),
  };
}

const listStatedTypes = ({ types, unpriced }: StageReport): readonly string[] => [
  ...(types?.map(({ type }) => type) ?? []),
  ...Object.keys(unpriced?.types ?? {}),
];

const unite = (names: NamesByStage, stages: readonly StageReport[]): readonly string[] => [
  ...new Set(stages.flatMap((stage) => [...(names.get(buildStageKey(stage)) ?? [])])),
];
