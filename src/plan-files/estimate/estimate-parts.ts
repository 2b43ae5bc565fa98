import { z } from "zod";
import type { Decimal } from "../../kernel/money.ts";
import { redactCredentials } from "../../kernel/redact-credentials.ts";
import type { ResourceTags } from "../../kernel/resource-tags.ts";
import { readTags } from "../../kernel/tag-forms.ts";
import type { CodePlace, EstimatorResult } from "../../platform/contract/cost-changes.ts";
import { readDecimal } from "../text/json-document.ts";
import { ResourceMetadata, type StatedPlaces } from "./code-place.ts";

/**
 * The parts of an Infracost JSON (version 0.2) that are read. Missing and null mean "not stated", never zero.
 */
export const amount = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value): Decimal | null => (value == null ? null : readDecimal(String(value).trim())));

export const stated = z.union([z.string(), z.number()]).nullish();

/** A list; not stated: an empty one. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((all) => all ?? []);

/** Returns the names of members whose stated amount is not a decimal number. */
export const listUnreadableMembers = (
  members: Readonly<Record<string, z.infer<typeof stated>>>,
): readonly string[] =>
  Object.entries(members).flatMap(([name, value]) => {
    const text = String(value ?? "").trim();
    return text === "" || readDecimal(text) !== null ? [] : [name];
  });

const Component = z.object({
  name: z.string(),
  unit: z.string().nullish(),
  price: stated,
  hourlyQuantity: stated,
  monthlyQuantity: stated,
  monthlyCost: amount,
  /** Whether the price depends on usage, given or not. */
  usageBased: z.boolean().nullish(),
  /** The estimator supports the component and found no price for it. */
  priceNotFound: z.boolean().nullish(),
});
export type Component = z.infer<typeof Component>;

/** A part of a resource, such as a disk of a virtual machine. Its cost includes the cost of its own parts. */
export interface Subresource {
  readonly name: string;
  readonly monthlyCost: Decimal | null;
  readonly costComponents: readonly Component[];
  readonly subresources: readonly Subresource[];
}

const subresource = {
  name: z.string(),
  monthlyCost: amount,
  costComponents: listOf(Component),
  get subresources(): z.ZodType<readonly Subresource[]> {
    return listOf(z.object(subresource));
  },
};

/** The tags of one state of a resource. Undefined: not stated. */
export type SideTags = ResourceTags | "unsupported" | undefined;

/** Tags of a part, such as its disks, which are listed as tags of the resource. */
const PART_TAG = /^(volume_tags|root_block_device|ebs_block_device\[\d+\]|tag_specifications)\./;

export const tagMap = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(null)
  .transform((tags): SideTags => {
    if (tags == null) return undefined;
    const own = Object.entries(tags).filter(([key]) => !PART_TAG.test(key));
    return readTags([Object.fromEntries(own)]);
  });

const Resource = z.object({
  ...subresource,
  resourceType: z.string().nullish(),
  tags: tagMap,
  metadata: ResourceMetadata.optional(),
});
export type Resource = z.infer<typeof Resource>;

const Breakdown = z
  .object({
    totalMonthlyCost: stated,
    resources: listOf(Resource),
    /** Resources that have no cost. Not all of them are listed. */
    freeResources: listOf(z.object({ name: z.string(), metadata: ResourceMetadata.optional() })),
  })
  .transform(({ totalMonthlyCost, resources, freeResources }) => ({
    totalMonthlyCost: amount.parse(totalMonthlyCost),
    unreadable: listUnreadableMembers({ totalMonthlyCost }),
    resources,
    freeResources: freeResources.map(({ name }) => name),
    stated: [...resources, ...freeResources].map(
      ({ name, metadata = [] }): StatedPlaces => ({ address: name, places: metadata }),
    ),
  }));
export type Breakdown = z.infer<typeof Breakdown>;

const counts = z.record(z.string(), z.int().min(0)).nullish();

export const EstimateSummary = z.object({
  totalDetectedResources: z.number().nullish(),
  /** Number of detected resources that are listed because they may have a cost. */
  totalSupportedResources: z.number().nullish(),
  /** Number of these resources whose price depends on usage, given or not. */
  totalUsageBasedResources: z.number().nullish(),
  unsupportedResourceCounts: counts,
  /** Number of resources per type that are free, listed or not. */
  noPriceResourceCounts: counts,
});
export type EstimateSummary = z.infer<typeof EstimateSummary>;

/** A message as one line, without credentials, which a command's output may quote. */
export const toLine = (message: string | null | undefined): string =>
  redactCredentials(message ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

const ErrorMessage = z
  .union([z.string(), z.object({ message: z.string().nullish() }).transform(({ message }) => message)])
  .transform((message) => toLine(message) || "an error without a message");

const errors = z
  .union([z.array(ErrorMessage), ErrorMessage.transform((message) => [message])])
  .nullish()
  .transform((all) => all ?? []);

/** A warning of the estimator about a project. `names`: what it is about, e.g. `variable.region`. */
const Warning = z
  .object({
    code: z.number().nullish(),
    message: z.string().nullish(),
    data: z.unknown().optional(),
    isError: z.boolean().nullish(),
  })
  .or(z.string().transform((message) => ({ message, code: null, data: null, isError: null })))
  .transform(({ code, message, data, isError }) => ({
    code: code ?? null,
    message: toLine(message) || "a warning without a message",
    names: z.array(z.string()).catch([]).parse(data),
    isError: isError === true,
  }));
export type EstimateWarning = z.infer<typeof Warning>;

const Metadata = z.object({
  path: z.string().nullish(),
  /** In files that several were joined to: the command that made the project; null: not stated. */
  infracostCommand: z.string().nullish(),
  /** What the estimator read, e.g. `terraform_dir` or `terraform_plan_json`. */
  type: z.string().nullish(),
  vcsSubPath: z.string().nullish(),
  terraformModulePath: z.string().nullish(),
  terraformWorkspace: z.string().nullish(),
  errors,
  currentErrors: errors,
  pastErrors: errors,
  warnings: listOf(Warning),
});

export const Project = z.object({
  name: z.string().nullish(),
  metadata: Metadata.nullish(),
  pastBreakdown: Breakdown.nullish(),
  breakdown: Breakdown.nullish(),
  diff: Breakdown.nullish(),
  summary: EstimateSummary.nullish(),
});

export type Project = z.infer<typeof Project> & {
  /** What the estimator's own policies say of it; absent: its version has none. */
  readonly findings?: readonly EstimatorResult[];
  /** The same of the state before; absent: there is none. */
  readonly pastFindings?: readonly EstimatorResult[];
  /** Where its resources stand in the code, by address; absent: not looked up. */
  readonly places?: ReadonlyMap<string, CodePlace>;
};

/** A file of Infracost 0.10: its members that are read. */
export const EstimateDocument = z
  .object({
    metadata: z
      .object({
        infracostCommand: z.string().nullish(),
        vcsCommitSha: z
          .string()
          .regex(/^[0-9a-f]{40,64}$/)
          .nullish()
          .catch(null),
      })
      .nullish(),
    currency: z.string().nullish(),
    totalMonthlyCost: stated,
    pastTotalMonthlyCost: stated,
    diffTotalMonthlyCost: stated,
    summary: EstimateSummary.nullish(),
    projects: z.array(Project).nullish(),
  })
  .transform(({ metadata, currency, summary, projects, ...totals }) => ({
    projects: projects ?? [],
    /** Command of the estimator that wrote the file; null: not stated. */
    command: metadata?.infracostCommand ?? null,
    /** Null: not stated. */
    commit: metadata?.vcsCommitSha ?? null,
    currency,
    summary,
    totalMonthlyCost: amount.parse(totals.totalMonthlyCost),
    pastTotalMonthlyCost: amount.parse(totals.pastTotalMonthlyCost),
    diffTotalMonthlyCost: amount.parse(totals.diffTotalMonthlyCost),
    unreadable: listUnreadableMembers(totals),
  }));
/** What a file states of itself, without its projects. */
export type EstimateHead = Omit<z.infer<typeof EstimateDocument>, "projects"> & {
  /** What the estimator's own policies say of the whole. */
  readonly findings?: readonly EstimatorResult[];
};

export interface EstimateParts {
  /** Its name in messages. */
  readonly file: string;
  /** Whether `scan` of Infracost 2 wrote it. */
  readonly isScan: boolean;
  readonly head: EstimateHead;
  readonly projects: readonly Project[];
}
