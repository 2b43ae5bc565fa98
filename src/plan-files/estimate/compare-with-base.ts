import { TollgateError } from "../../kernel/errors.ts";
import { ZERO } from "../../kernel/money.ts";
import { findComparison } from "./estimate.ts";
import type { Breakdown, EstimateParts, Project } from "./estimate-parts.ts";
import { labelProjects } from "./project-stage.ts";
import { listDifferences } from "./reconcile.ts";

/**
 * Joins two estimates of one state each: what the base has is the state before. Projects are matched by their
 * name, with their path where several have the same one; the only project of each file is the same one,
 * because two checkouts may be folders with different names.
 *
 * @throws TollgateError `usage` when a file compares already, or when they are of different things
 */
export function compareWithBase(after: EstimateParts, before: EstimateParts): EstimateParts {
  for (const parts of [after, before]) refuseCompared(parts);
  refuseDifferent(after, before);
  const pairs = pairProjects(after, before);
  const unreadable = before.head.unreadable.map((member) => `${member} of the base`);
  return {
    ...after,
    head: {
      ...after.head,
      command: "diff",
      pastTotalMonthlyCost: before.head.totalMonthlyCost,
      diffTotalMonthlyCost: null,
      unreadable: [...after.head.unreadable, ...unreadable],
    },
    projects: pairs.map((pair) => joinProject(pair, after.projects.length === 0 ? [NO_PROJECT] : [])),
  };
}

/** A scan of the wrong folder has no project either: it does not say that all of the base's is gone. */
export const NO_PROJECT = "the estimate names no project, so nothing was estimated";

function refuseCompared({ file, head, projects }: EstimateParts): void {
  if (projects.every((project) => findComparison(head, project) === "nothing")) return;
  throw new TollgateError(
    "usage",
    `${file} compares two states already, or does not say by which command it was made`,
    {
      hint: "Leave --infracost-base out, or give two files of one state each: `infracost breakdown --path DIRECTORY --format json` of 0.10, or `infracost scan DIRECTORY --json` of 2.",
    },
  );
}

function refuseDifferent(after: EstimateParts, before: EstimateParts): void {
  const hint = "Make both with the same version and the same settings, of the base branch and of the head.";
  if (after.isScan !== before.isScan && after.projects.length * before.projects.length > 0)
    throw new TollgateError(
      "usage",
      `${after.file} and ${before.file} are of different versions of Infracost`,
      { hint },
    );
  const [own, past] = [after, before].map(({ head }) => (head.currency || "USD").toUpperCase());
  if (own !== past)
    throw new TollgateError("usage", `${after.file} is in ${own} and ${before.file} in ${past}`, { hint });
}

/** A project on each side; null: it is only on the other one. */
type ProjectPair = readonly [after: Project | null, before: Project | null];

function pairProjects(after: EstimateParts, before: EstimateParts): readonly ProjectPair[] {
  const [own, ...others] = after.projects;
  const [past, ...earlier] = before.projects;
  if (own !== undefined && past !== undefined && others.length + earlier.length === 0) return [[own, past]];
  const index = ({ projects }: EstimateParts) => {
    const labels = labelProjects(projects, "");
    return new Map(projects.map((project, at) => [labels[at] ?? "", project]));
  };
  const [present, former] = [index(after), index(before)];
  if (present.size > 0 && former.size > 0 && !present.keys().some((label) => former.has(label)))
    throw new TollgateError("usage", `${after.file} and ${before.file} have no project in common`, {
      hint: `Projects are matched by name: ${after.file} has ${[...present.keys()].join(", ")}, and ${before.file} has ${[...former.keys()].join(", ")}.`,
    });
  const labels = new Set([...present.keys(), ...former.keys()]);
  return [...labels].map((label) => [present.get(label) ?? null, former.get(label) ?? null]);
}

/** A project that is only on one side has nothing on the other. */
const NOTHING: Breakdown = {
  totalMonthlyCost: ZERO,
  unreadable: [],
  resources: [],
  freeResources: [],
  stated: [],
};

function joinProject([after, before]: ProjectPair, problems: readonly string[]): Project {
  const past = before === null ? NOTHING : (before.breakdown ?? null);
  const present = after === null ? NOTHING : (after.breakdown ?? null);
  const changes =
    past === null || present === null
      ? null
      : { ...NOTHING, totalMonthlyCost: null, resources: [...listDifferences(past, present, () => true)] };
  const { errors = [], currentErrors = [], warnings = [] } = after?.metadata ?? {};
  const { errors: pastErrors = [], warnings: pastWarnings = [] } = before?.metadata ?? {};
  return {
    name: after?.name ?? before?.name,
    metadata: {
      ...(after ?? before)?.metadata,
      infracostCommand: "diff",
      ...{
        errors: [...errors, ...problems],
        currentErrors,
        pastErrors,
        warnings: [...warnings, ...pastWarnings],
      },
    },
    pastBreakdown: past,
    breakdown: present,
    diff: changes,
    summary: after?.summary ?? NO_RESOURCES,
    ...joinFindings(after, before),
  };
}

function joinFindings(
  after: Project | null,
  before: Project | null,
): Pick<Project, "findings" | "pastFindings"> {
  const [findings, pastFindings] = [after ?? { findings: [] }, before ?? { findings: [] }].map(
    (one) => one.findings,
  );
  return findings === undefined || pastFindings === undefined ? {} : { findings, pastFindings };
}

const NO_RESOURCES = { totalDetectedResources: 0, unsupportedResourceCounts: {}, noPriceResourceCounts: {} };
