import type { Project } from "./estimate-parts.ts";

/**
 * Returns a unique name for each project of a file: its own name; where names repeat, also its module path or
 * path, then its workspace; otherwise a number.
 */
export function labelProjects(projects: readonly Project[], fallback: string): readonly string[] {
  const names = projects.map((project) => project.name || project.metadata?.path || fallback);
  const labels = projects.map((project, at) => {
    const alike = projects.filter((_, other) => names[other] === names[at]);
    const traits = TRAITS.filter((trait) => new Set(alike.map(trait)).size > 1);
    const values = traits.map((trait) => trait(project)).filter((value) => value !== "");
    return values.length === 0 ? names[at] : `${names[at]} (${values.join(", ")})`;
  });
  return labels.map((label, at) => {
    const before = labels.slice(0, at).filter((other) => other === label).length;
    return before === 0 ? (label ?? fallback) : `${label} #${before + 1}`;
  });
}

const TRAITS: readonly ((project: Project) => string)[] = [
  ({ metadata }) => metadata?.terraformModulePath || metadata?.vcsSubPath || metadata?.path || "",
  ({ metadata }) => metadata?.terraformWorkspace ?? "",
];
