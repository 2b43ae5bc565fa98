import { createRefusal, type Refusal } from "./refusal.ts";

/** A project of the platform that the operator granted to a repository; without `project`: every project of the org. */
export interface GrantedProject {
  readonly org: string;
  readonly project?: string | undefined;
}

export interface Project {
  readonly org: string;
  readonly project: string;
}

/** What the job asks for; absent: it leaves the choice to the grants. */
export interface WantedProject {
  readonly org?: string | undefined;
  readonly project?: string | undefined;
}

const HINT = "Name one with --org and --project, or have the operator grant it to this repository.";

/**
 * Returns the project that a job may write to: the only granted one that it asks for. Without any grant a
 * repository has the project with its own name.
 */
export function chooseProject(
  granted: readonly GrantedProject[],
  own: Project,
  wanted: WantedProject,
): Project | Refusal {
  const all = granted.length === 0 ? [own] : granted;
  const fitting = all.flatMap(({ org, project = wanted.project }) =>
    project !== undefined && org === (wanted.org ?? org) && project === (wanted.project ?? project)
      ? [{ org, project }]
      : [],
  );
  const distinct = new Map(fitting.map((one) => [JSON.stringify([one.org, one.project]), one]));
  const [only, ...others] = distinct.values();
  if (only !== undefined && others.length === 0) return only;
  const names = all.map(({ org, project = "(any)" }) => `${org}/${project}`).join(", ");
  return createRefusal(
    "forbidden",
    only === undefined
      ? `the repository may write to ${names} and to no other project`
      : `the repository may write to several projects: ${names}`,
    HINT,
  );
}
